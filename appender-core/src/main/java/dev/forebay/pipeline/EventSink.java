package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropReason;

/**
 * What stands behind the ring. All methods but {@link #flush} and {@link #stop} are called by the
 * flusher's thread only.
 */
public interface EventSink {

  /** Name for messages. */
  String name();

  /**
   * Called once before the events of a turn, also when there are none.
   *
   * @param eventsWait whether there are some
   */
  default void beginTurn(boolean eventsWait) {}

  /** Whether {@link #accept} may be called; false leaves the events in the ring. */
  boolean isReady();

  /**
   * Takes responsibility for one event: from here on the sink counts in the ledger what becomes of
   * it. When this throws, the event was not taken and the flusher counts it as dropped for {@link
   * #failureReason}.
   */
  void accept(ILoggingEvent event) throws Exception;

  /**
   * As {@link #accept}, for a report of drops, with an answer: what was dropped is reported again
   * when nobody took the report.
   *
   * @return whether the report was taken
   */
  default boolean acceptReport(ILoggingEvent report) throws Exception {
    accept(report);
    return true;
  }

  /** The reason that a throwing {@link #accept} is counted for. */
  DropReason failureReason();

  /** Passes on what was accepted since the last call. */
  void endOfBatch() throws Exception;

  /**
   * Waits until everything that {@link #endOfBatch} passed on has reached its destination. Any
   * thread.
   *
   * @param timeoutNs at most this long, nanoseconds
   * @return whether it has; at once when {@link #stop} has ended
   */
  default boolean flush(long timeoutNs) {
    return true;
  }

  /** Why less than all works now, in words, beside outputs that fail; "" when all is well. JMX. */
  default String degraded() {
    return "";
  }

  /**
   * At most how many accepted events are only in the heap, and end with the process. Any thread.
   */
  default long heldInHeap() {
    return 0;
  }

  /**
   * Called once by the flusher's thread, last; not called while that thread hangs in {@link
   * #accept}.
   */
  default void close() {}

  /**
   * Called once by the thread that stops the appender, after the flusher has ended or was given up.
   *
   * @param timeoutNs how long this may take, nanoseconds
   */
  default void stop(long timeoutNs) {}
}
