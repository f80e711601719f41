package dev.forebay.benchmarks.lab;

import java.util.Locale;
import org.slf4j.event.Level;

/** A load and a fault. Every producer thread has the same share of the load. */
public enum Scenario {
  /** The load of a busy service. */
  STEADY(Load.PACED, 2, 10_000, Fault.NONE, 3, 4),

  /** Five times that. */
  BUSY(Load.PACED, 2, 50_000, Fault.NONE, 2, 3),

  /** Nothing for 200 ms, then as many events as fast as possible; on average as STEADY. */
  BURST(Load.BURSTS, 2, 10_000, Fault.NONE, 2, 4),

  /**
   * Single calls, so far apart that the caches are cold: what {@link Peer#NONE} takes here is the
   * floor.
   */
  SINGLE_CALLS(Load.SINGLE, 2, 0, Fault.NONE, 2, 4),

  /** A log disk that answers nothing for five seconds. */
  FROZEN_DISK(Load.PACED, 2, 10_000, Fault.FROZEN_DISK, 3, 9),

  /**
   * A log disk that answers nothing for thirty seconds, more than a ring of 262,144 events holds.
   * What is held in memory is read before the disk answers again.
   */
  LONG_FREEZE(Load.PACED, 2, 10_000, Fault.LONG_FREEZE, 3, 32),

  /** Another process writes to the log disk and forces what it wrote. */
  NOISY_NEIGHBOUR(Load.PACED, 2, 10_000, Fault.NOISY_NEIGHBOUR, 2, 5),

  /** A log disk without room for three seconds. */
  FULL_DISK(Load.PACED, 2, 10_000, Fault.FULL_DISK, 2, 6),

  /** The load of STEADY at level TRACE, beside eight processes that use all processor time. */
  BUSY_PROCESSORS(Load.PACED, 2, 10_000, Fault.BUSY_PROCESSORS, 3, 4),

  /**
   * Requests of a call at INFO and five at TRACE, in all as many at INFO as STEADY has. TRACE goes
   * to a flight recorder or, with other peers, to the log; {@link Peer#FOREBAY} has it switched
   * off.
   */
  RECORDED(Load.TRACED, 2, 10_000, Fault.NONE, 3, 4),

  /** A started appender and no log call; our threads sleep after five seconds. */
  IDLE(Load.NONE, 0, 0, Fault.NONE, 8, 5),

  /**
   * Log calls as fast as they go, by appenders set to lose nothing; the end is the last line on the
   * disk.
   */
  THROUGHPUT_2(Load.UNPACED_KEEPING, 2, 0, 500_000, 2_500_000),

  /** As THROUGHPUT_2 with four producers. */
  THROUGHPUT_4(Load.UNPACED_KEEPING, 4, 0, 500_000, 2_500_000),

  /** A burst three seconds after the start, when little is compiled yet, by default settings. */
  EARLY_BURST_2(Load.UNPACED_NUMBER, 2, 3, 60_000, 500_000),

  /** As EARLY_BURST_2 with four producers. */
  EARLY_BURST_4(Load.UNPACED_NUMBER, 4, 3, 60_000, 500_000),

  /** As EARLY_BURST_2 by appenders set to lose nothing. */
  EARLY_BURST_WAIT_2(Load.UNPACED_KEEPING, 2, 3, 60_000, 500_000),

  /** The same with four producers. */
  EARLY_BURST_WAIT_4(Load.UNPACED_KEEPING, 4, 3, 60_000, 500_000),

  /** Log calls as fast as they go, by appenders as they are set by default. */
  OVERLOAD(Load.UNPACED, 2, 0, Fault.NONE, 2, 2),

  /** As OVERLOAD with four producers, and longer. */
  OVERLOAD_4(Load.UNPACED, 4, 0, Fault.NONE, 2, 10),

  /** The same with sixteen producers. */
  OVERLOAD_16(Load.UNPACED, 16, 0, Fault.NONE, 2, 10),

  /** The same with sixty-four producers. */
  OVERLOAD_64(Load.UNPACED, 64, 0, Fault.NONE, 2, 10);

  /** How log calls are made. */
  public enum Load {
    /** None. */
    NONE,
    /** Each producer has a schedule, one event every 1/rate seconds, issued in ticks of 1 ms. */
    PACED,
    /** As PACED, each event at INFO and followed by {@link #TRACES} at TRACE. */
    TRACED,
    /** As many events as the rate gives in 200 ms, back to back, every 200 ms. */
    BURSTS,
    /** Each producer sleeps for at least 100 µs before a call. */
    SINGLE,
    /** Back to back for the measured time. */
    UNPACED,
    /** A fixed number of events, back to back. */
    UNPACED_NUMBER,
    /** A fixed number of events, back to back, with an appender that is set to keep all. */
    UNPACED_KEEPING;

    /** Calls at TRACE after each at INFO, where both are made. */
    public static final int TRACES = 5;

    /** Whether a number of events is measured, and not a time. */
    public boolean isOfANumber() {
      return this == UNPACED_NUMBER || this == UNPACED_KEEPING;
    }
  }

  /** What is done to the log disk, or to the processors. */
  public enum Fault {
    NONE,
    FROZEN_DISK,
    LONG_FREEZE,
    NOISY_NEIGHBOUR,
    FULL_DISK,
    BUSY_PROCESSORS,

    /** As NOISY_NEIGHBOUR, on a disk that cannot keep up. Only the JVM's own log is put on it. */
    SATURATED_DISK;

    /** Whether it needs a disk of its own. */
    public boolean isOfTheDisk() {
      return this != NONE && this != BUSY_PROCESSORS;
    }
  }

  private final Load load;
  private final int producers;
  private final int eventsPerSecond;
  private final Fault fault;
  private final int warmUpSeconds;
  private final int seconds;
  private final int warmUpEvents;
  private final int events;

  /** A measured time. */
  Scenario(
      Load load, int producers, int eventsPerSecond, Fault fault, int warmUpSeconds, int seconds) {
    this.load = load;
    this.producers = producers;
    this.eventsPerSecond = eventsPerSecond;
    this.fault = fault;
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
    this.warmUpEvents = 0;
    this.events = 0;
  }

  /** A measured number of events. */
  Scenario(Load load, int producers, int warmUpSeconds, int warmUpEvents, int events) {
    this.load = load;
    this.producers = producers;
    this.eventsPerSecond = 0;
    this.fault = Fault.NONE;
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = 0;
    this.warmUpEvents = warmUpEvents;
    this.events = events;
  }

  /** How log calls are made. */
  public Load load() {
    return load;
  }

  /** Threads that log. */
  public int producers() {
    return producers;
  }

  /** Log calls of each producer, a second; 0 where they are not paced. */
  public int eventsPerSecond() {
    return eventsPerSecond;
  }

  /** What is done to the log disk, or to the processors. */
  public Fault fault() {
    return fault;
  }

  /**
   * Time before the measurement in which the same load is made and nothing is measured; where a
   * number of events is measured, the least time from the start of the appender to the first.
   */
  public int warmUpSeconds() {
    return warmUpSeconds;
  }

  /** Measured time; 0 where a number of events is measured. */
  public int seconds() {
    return seconds;
  }

  /** Events before the measured ones, all producers together; 0 where a time is measured. */
  public int warmUpEvents() {
    return warmUpEvents;
  }

  /** Measured events, all producers together; 0 where a time is measured. */
  public int events() {
    return events;
  }

  /** Level of a peer's loggers. */
  public Level level(Peer peer) {
    boolean traces =
        fault == Fault.BUSY_PROCESSORS || (load == Load.TRACED && peer != Peer.FOREBAY);
    return traces ? Level.TRACE : Level.INFO;
  }

  /** In a sentence, for people. */
  public String description() {
    String made =
        switch (load) {
          case NONE -> "no log call";
          case PACED -> perSecond() + ", evenly";
          case TRACED -> perSecond() + " at INFO, evenly, each with " + Load.TRACES + " at TRACE";
          case BURSTS -> perSecond() + ", in bursts every 200 ms";
          case SINGLE -> producers + " threads log single events, 100 µs apart";
          case UNPACED -> producers + " threads log as fast as they can";
          case UNPACED_NUMBER -> number();
          case UNPACED_KEEPING -> number() + ", none may be lost";
        };
    return switch (fault) {
      case NONE -> made;
      case FROZEN_DISK -> made + "; the log disk answers nothing for 5 s";
      case FULL_DISK -> made + "; the log disk is full for 3 s";
      case LONG_FREEZE -> made + "; the log disk answers nothing for 30 s";
      case NOISY_NEIGHBOUR, SATURATED_DISK -> made + "; another process writes to the log disk";
      case BUSY_PROCESSORS -> made + ", at TRACE; 8 processes use all processor time";
    };
  }

  private String number() {
    String when = warmUpSeconds == 0 ? "" : " %d s after the start".formatted(warmUpSeconds);
    return String.format(
        Locale.ROOT,
        "%d threads log %,d events%s, after %,d of warm-up",
        producers,
        events,
        when,
        warmUpEvents);
  }

  private String perSecond() {
    return String.format(
        Locale.ROOT, "%d threads log %,d events a second each", producers, eventsPerSecond);
  }

  /** As it is written on the command line and in file names: {@code frozen-disk}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
