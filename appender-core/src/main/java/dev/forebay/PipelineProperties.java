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
 * <p>Times are texts in the format of {@link TimeText}, such as {@code 10 seconds} or {@code 10s};
 * a program may also give what {@link java.time.Duration#toString} returns.
 */
public interface PipelineProperties {

  /** Where the setters store. Not a property itself. */
  PipelineOptions pipelineOptions();

  /**
   * Events the ring holds, 1 to 16,777,216, rounded up to a power of two; default 8192. This is the
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
   * Limit on the total weight of the events in the ring: messages, stack traces, text and arrays
   * among arguments and key-value pairs, and MDC values once a sixteenth of the ring is used. 64 KB
   * to 64 GB, default 32 MB. Half of it is for events larger than a slot's share; an event larger
   * than that half is always dropped.
   */
  default void setRingBufferBytes(FileSize size) {
    pipelineOptions().setRingBytes(size);
  }

  /**
   * TRACE, DEBUG and INFO are dropped while fewer slots than this are free; 0 for never. Default,
   * or -1: TRACE and DEBUG are dropped when half of the ring is filled, INFO at four fifths, or
   * never if {@code appendTimeout} is set; not while log calls encode their own events.
   */
  default void setDiscardingThreshold(int freeSlots) {
    pipelineOptions().discardingThreshold = freeSlots;
  }

  /**
   * True drops events at once when the ring is full, even if {@code appendTimeout} is set. False
   * has an effect only with {@code appendTimeout}. A contradiction between the two causes one WARN.
   * If not set, the default, {@code appendTimeout} alone decides.
   */
  default void setNeverBlock(boolean never) {
    pipelineOptions().neverBlock = never;
  }

  /**
   * How long a log call may wait for space in a full ring, 0 to 1 hour; default 0, not at all. An
   * interrupt ends the wait; the interrupt flag is kept.
   */
  default void setAppendTimeout(String timeout) {
    pipelineOptions().appendTimeout = timeout;
  }

  /**
   * Time for the drain in {@code stop()} and at JVM shutdown, 1 ms to 1 hour; default 1 second. 0,
   * which means no limit to {@code AsyncAppender}, is a minute here, with one WARN. {@code stop()}
   * may take up to half a second more to close files and notify listeners.
   */
  default void setMaxFlushTime(String time) {
    pipelineOptions().setMaxFlush("maxFlushTime", time);
  }

  /** The same as {@code maxFlushTime}; the name of the disruptor appender. Here 0 is 1 ms. */
  default void setShutdownGracePeriod(String time) {
    pipelineOptions().setMaxFlush(PipelineOptions.GRACE_PERIOD, time);
  }

  /**
   * Shortest time between two reports of drops, to the listeners and in the log itself; 10 ms to 1
   * hour, default 1 second.
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
   * TRACE to ERROR or OFF, default ERROR. Everything else waits for the next poll: 10 ms at most
   * while events keep coming, 50 ms after a second without any.
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

  /**
   * Adds a listener for drops and failures. Any number, called in the order of the configuration.
   */
  default void addListener(FailureListener listener) {
    pipelineOptions().listeners.add(listener);
  }

  /** Accepted for configurations written for the disruptor appender; has no meaning here. */
  default void setWaitStrategyType(String type) {
    pipelineOptions().setWithoutMeaning("waitStrategyType", "the flusher adapts its polling");
  }

  /** Accepted for configurations written for the disruptor appender; has no meaning here. */
  default void setProducerType(String type) {
    pipelineOptions().setWithoutMeaning("producerType", "any number of threads may log");
  }

  /** Accepted for configurations written for the disruptor appender; has no meaning here. */
  default void setAppendRetryFrequency(String frequency) {
    pipelineOptions()
        .setWithoutMeaning(
            "appendRetryFrequency", "a waiting call checks for space every 0.1 to 1 ms");
  }

  /** Accepted for configurations written for the disruptor appender; has no meaning here. */
  default void setDroppedWarnFrequency(int frequency) {
    pipelineOptions()
        .setWithoutMeaning("droppedWarnFrequency", "drops are reported once a <reportInterval>");
  }

  /** Accepted for configurations written for the disruptor appender; has no meaning here. */
  default void setAddDefaultStatusListener(boolean add) {
    pipelineOptions()
        .setWithoutMeaning(
            "addDefaultStatusListener", "add a <statusListener> to the configuration");
  }

  /** Accepted for configurations written for the disruptor appender; has no meaning here. */
  default void setDaemon(boolean daemon) {
    pipelineOptions()
        .setWithoutMeaning("daemon", "all threads are daemons and drained at shutdown");
  }
}
