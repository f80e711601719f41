package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.TimeLimit;
import dev.forebay.observe.DropReason;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stage after the ring. Methods are for the flusher's thread only, unless they say otherwise.
 */
public interface EventSink {

  /** Most events that a turn of the flusher passes on. */
  int MAX_TURN = 1024;

  /** Name for messages. */
  String name();

  /** Called at the start of each turn, even if no events wait. */
  default void beginTurn(boolean eventsWait) {}

  /** Makes room for an event; false if {@link #accept} must not be called: it stays in the ring. */
  boolean makeReady();

  /**
   * Takes one event or report of drops; the sink must then count its outcome in the ledger. If this
   * throws, the event was not taken, and the flusher counts it as dropped for {@link
   * #failureReason}.
   *
   * @param encoded what {@link #callerEncoder} returned for it; null if no log call has encoded it
   * @return whether it was taken. The content of a report that was not is reported again
   */
  boolean accept(ILoggingEvent event, byte @Nullable [] encoded) throws Exception;

  /**
   * What log calls may encode with, many at once; null if events must come as they are. Asked once,
   * when the pipeline is built.
   */
  default @Nullable Encoder<ILoggingEvent> callerEncoder() {
    return null;
  }

  /** Whether a log call that finds the ring full may wait for room, as those that encode do. */
  default boolean callsMayWait() {
    return callerEncoder() != null;
  }

  /** Whether each log call encodes its event, not only under pressure and for durability. */
  default boolean isEncodedByCalls() {
    return false;
  }

  /** As {@link #makeReady}, for a report of drops. */
  default boolean makeReadyForReport() {
    return makeReady();
  }

  /** Whether the sink needs no turn until it gets an event. */
  default boolean isSettled() {
    return true;
  }

  /** Whether something is under way that a stop gives its time, besides events in the ring. */
  default boolean holdsBack() {
    return false;
  }

  /** Which log calls wait until their event survives a kill; null if none do. Asked once. */
  default @Nullable CallDurability durability() {
    return null;
  }

  /**
   * Whether a log call, in the flusher's turn, may pass an event of so many encoded bytes to {@link
   * #accept}: that must neither report nor, unless there is a {@link #durability}, wait for a disk.
   * Only if there is a {@link #callerEncoder}, like the next.
   */
  default boolean isReadyForCall(int bytes) {
    return false;
  }

  /**
   * Writes what was accepted, in the turn of a log call; neither waits nor reports.
   *
   * @return whether all of it is written now
   */
  default boolean writeForCall() {
    return false;
  }

  /** Whether what is written survives a kill of the process. Any thread. */
  default boolean survivesKill() {
    return true;
  }

  /** Whether the first place for events is not there yet, but soon. For the flusher's thread. */
  default boolean isOpening() {
    return false;
  }

  /** The drop reason if {@link #accept} throws. */
  DropReason failureReason();

  /** Passes on what was accepted since the last call. */
  void endOfBatch() throws Exception;

  /**
   * Waits until everything that {@link #endOfBatch} passed on has reached its destination. Any
   * thread.
   *
   * @return whether it has; returns at once after {@link #stop}
   */
  default boolean flush(TimeLimit limit) {
    return true;
  }

  /**
   * The JVM is ending: from now on each batch must be on its way at once, since no later turn is
   * certain. Called once by the shutdown hook.
   */
  default void prepareForShutdown() {}

  /** What is degraded now, apart from failing outputs, in words, or "". Any thread; for JMX. */
  default String degraded() {
    return "";
  }

  /** Upper bound of the accepted events that end with the process. Any thread. */
  default long heldInHeap() {
    return 0;
  }

  /** A stop begins: work that was put off is done soon. Called by the stopping thread. */
  default void prepareForStop() {}

  /** The JVM ends: says what waits for the next start. Called by the shutdown hook. */
  default void warnOfLeft() {}

  /** The JVM ends in order, and all is drained. Called by the shutdown hook; must not throw. */
  default void endWithJvm() {}

  /** Called once by the flusher's thread, last; not if that hangs in {@link #accept}. */
  default void close() {}

  /**
   * Called once by the thread that stops the appender, after the flusher has ended or timed out.
   */
  default void stop(long timeoutNs) {}

  /** Adds its numbers to what JMX shows of the account. Any thread. */
  default void show(Map<String, Long> account) {}
}
