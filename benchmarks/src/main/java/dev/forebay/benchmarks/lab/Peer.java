package dev.forebay.benchmarks.lab;

import java.util.Locale;

/** What is measured: a way to log to a file. */
public enum Peer {
  /** The floor: Logback's own part of a log call, with an appender that keeps nothing. */
  NONE("no appender", "logback", Lines.NONE),

  /** {@code TieredAppender}. */
  FOREBAY("Forebay TieredAppender", "logback", Lines.FILES),

  /** {@code TieredAppender} whose log calls return when their event is in the spool. */
  FOREBAY_CALL("Forebay TieredAppender, durable calls", "logback", Lines.FILES),

  /** {@code TieredAppender} whose log another process writes. */
  FOREBAY_APART("Forebay TieredAppender, shipped apart", "logback", Lines.FILES),

  /** {@code TieredAppender} with a flight recorder, in the scenario that has something for it. */
  FOREBAY_FLIGHT("Forebay TieredAppender, flight recorder", "logback", Lines.FILES),

  /**
   * The same with an encoder that costs nothing: what is left is what the appender and the recorder
   * themselves cost.
   */
  FOREBAY_FLIGHT_BARE("Forebay, flight recorder, free encoder", "logback", Lines.FILES),

  /** {@code NonBlockingAppender} in front of a {@code RollingFileAppender}. */
  FOREBAY_RING("Forebay NonBlockingAppender", "logback", Lines.FILES),

  /** {@code RollingFileAppender} with all defaults: a flush after each event. */
  FILE("RollingFileAppender", "logback", Lines.FILES),

  /** {@code RollingFileAppender} with {@code immediateFlush} false. */
  FILE_UNFLUSHED("RollingFileAppender, unflushed", "logback", Lines.FILES),

  /** {@code AsyncAppender} with all defaults but the queue size. */
  ASYNC("AsyncAppender", "logback", Lines.FILES),

  /** {@code AsyncAppender} with {@code neverBlock}. */
  ASYNC_NEVER_BLOCK("AsyncAppender, neverBlock", "logback", Lines.FILES),

  /** {@code LoggingEventAsyncDisruptorAppender}. */
  LOGSTASH_DISRUPTOR("logstash disruptor appender", "logback", Lines.FILES),

  /** Log4j2 async loggers with a {@code RandomAccessFile}, Disruptor 3.4.4. */
  LOG4J2("Log4j2 async loggers", "log4j2-disruptor3", Lines.FILES),

  /** Log4j2 async loggers with the Disruptor that its manual names, 4.0.0. */
  LOG4J2_DISRUPTOR4("Log4j2 async loggers, Disruptor 4", "log4j2-disruptor4", Lines.FILES),

  /** Chronicle Logger: events in a memory-mapped queue, read back to count them. */
  CHRONICLE("Chronicle Logger", "chronicle", Lines.QUEUE),

  /** tinylog with its writing thread. */
  TINYLOG("tinylog", "tinylog", Lines.FILES);

  /** Where the lines are counted. */
  public enum Lines {
    /** Nothing is kept. */
    NONE,
    /** Line ends in the files of the log directory. */
    FILES,
    /** Entries of a Chronicle queue. */
    QUEUE
  }

  private final String label;
  private final String libraries;
  private final Lines lines;

  Peer(String label, String libraries, Lines lines) {
    this.label = label;
    this.libraries = libraries;
    this.lines = lines;
  }

  /** Name for people. */
  public String label() {
    return label;
  }

  /** Name of the set of libraries it runs with; {@code logback} is that of the benchmarks. */
  public String libraries() {
    return libraries;
  }

  /** Where the lines are counted. */
  public Lines lines() {
    return lines;
  }

  /** Whether it is one of ours. */
  public boolean isForebay() {
    return this == FOREBAY
        || this == FOREBAY_CALL
        || this == FOREBAY_APART
        || this == FOREBAY_RING
        || records();
  }

  /** Whether it has a flight recorder. */
  public boolean records() {
    return this == FOREBAY_FLIGHT || this == FOREBAY_FLIGHT_BARE;
  }

  /** As it is written on the command line and in file names: {@code log4j2-disruptor4}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
