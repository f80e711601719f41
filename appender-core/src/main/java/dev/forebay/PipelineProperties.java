package dev.forebay;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.observe.FailureListener;

/**
 * The XML properties of the ring, the same for every appender of this project.
 *
 * <p>An appender implements {@link #pipelineOptions} and inherits the setters; Joran, Logback's
 * configurator, finds default methods like any other. The setters only store: {@code start()}
 * checks. Where Logback's {@code AsyncAppender} or logstash-logback-encoder's {@code
 * LoggingEventAsyncDisruptorAppender} has the same property, the name is the same.
 *
 * <p>Times are texts: {@code 10 seconds}, {@code 10s}, {@code 500 ms}, {@code 1.5 hours}, or what
 * {@link java.time.Duration#toString} returns; a number alone is milliseconds.
 */
public interface PipelineProperties {

  /** Where the setters store. Not a property itself. */
  PipelineOptions pipelineOptions();

  /**
   * Events the ring holds, 1 to 16,777,216, rounded up to a power of two; default 8192. The
   * disruptor appender's name for it.
   */
  default void setRingBufferSize(int size) {
    pipelineOptions().setRingSize("ringBufferSize", size);
  }

  /** The same as {@code ringBufferSize}; the name of {@code AsyncAppender}. */
  default void setQueueSize(int size) {
    pipelineOptions().setRingSize("queueSize", size);
  }

  /**
   * Limit on the total weight of the events in the ring, 64 KB to 64 GB; default 32 MB. Half of it
   * is for events larger than a slot's share; an event larger than that half is always dropped.
   */
  default void setRingBufferBytes(FileSize size) {
    pipelineOptions().ringBufferBytes = size.getSize();
  }

  /**
   * TRACE, DEBUG and INFO are dropped while fewer slots than this are free, up to the ring size; 0
   * for never. Default -1: TRACE and DEBUG once half of the ring is filled, INFO once four fifths
   * are; with {@code appendTimeout} never.
   */
  default void setDiscardingThreshold(int freeSlots) {
    pipelineOptions().discardingThreshold = freeSlots;
  }

  /**
   * True drops events at once when the ring is full, even if {@code appendTimeout} is set. False
   * has an effect only with {@code appendTimeout}. Not set by default.
   */
  default void setNeverBlock(boolean never) {
    pipelineOptions().neverBlock = never;
  }

  /**
   * How long a log call may wait for space in a full ring, 0 to 1 hour; default 0. An interrupt
   * ends the wait, and the flag stays set.
   */
  default void setAppendTimeout(String timeout) {
    pipelineOptions().appendTimeout = timeout;
  }

  /** Time for the drain in {@code stop()} and at JVM shutdown, 1 ms to 1 hour; default 1 second. */
  default void setMaxFlushTime(String time) {
    pipelineOptions().setMaxFlush("maxFlushTime", time);
  }

  /** The same as {@code maxFlushTime}; the name of the disruptor appender. Here 0 is 1 ms. */
  default void setShutdownGracePeriod(String time) {
    pipelineOptions().setMaxFlush(PipelineOptions.GRACE_PERIOD, time);
  }

  /**
   * Shortest time between two reports of drops, to the listeners and in the log itself, 10 ms to 1
   * hour; default 1 second.
   */
  default void setReportInterval(String interval) {
    pipelineOptions().reportInterval = interval;
  }

  /** Whether log calls determine class, method and line, at about 8 µs each; default false. */
  default void setIncludeCallerData(boolean include) {
    pipelineOptions().includeCallerData = include;
  }

  /**
   * Events of this level and above wake the flusher at once, which costs the caller 7 to 20 µs;
   * TRACE to ERROR or OFF, default ERROR.
   */
  default void setUrgentLevel(String level) {
    pipelineOptions().urgentLevel = level;
  }

  /**
   * A {@link java.util.Formatter} pattern for the names of the threads: {@code %1$s} is the name of
   * the appender, {@code %2$d} a number, {@code %3$s} its role; default {@code
   * forebay-%3$s-%1$s-%2$d}.
   */
  default void setThreadNameFormat(String format) {
    pipelineOptions().threadNameFormat = format;
  }

  /** Adds a limit on how many events a second are taken of a logger. One for each logger. */
  default void addLimit(LimitOptions limit) {
    pipelineOptions().addLimit(limit);
  }

  /** Adds what is replaced by {@code ***} before it is written anywhere. */
  default void addRedact(RedactOptions redact) {
    pipelineOptions().addRedact(redact);
  }

  /** Adds a listener for drops and failures. Any number, called in this order. */
  default void addListener(FailureListener listener) {
    pipelineOptions().listeners.add(listener);
  }
}
