package dev.forebay.benchmarks.lab;

import java.util.Locale;

/** A load and a fault. Every producer thread has the same share of the load. */
public enum Scenario {
  /** The load of a busy service. */
  STEADY(Load.PACED, 2, 10_000, Fault.NONE, 3, 4),

  /** Five times that. */
  BUSY(Load.PACED, 2, 50_000, Fault.NONE, 2, 3),

  /** Nothing for 200 ms, then as many events as fast as possible; on average as STEADY. */
  BURST(Load.BURSTS, 2, 10_000, Fault.NONE, 2, 4),

  /** A log disk that answers nothing for five seconds. */
  FROZEN_DISK(Load.PACED, 2, 10_000, Fault.FROZEN_DISK, 3, 9),

  /** Another process writes to the log disk and forces what it wrote. */
  NOISY_NEIGHBOUR(Load.PACED, 2, 10_000, Fault.NOISY_NEIGHBOUR, 2, 5),

  /** A log disk without room for three seconds. */
  FULL_DISK(Load.PACED, 2, 10_000, Fault.FULL_DISK, 2, 6),

  /** A started appender and no log call. */
  IDLE(Load.NONE, 0, 0, Fault.NONE, 1, 5),

  /**
   * Log calls as fast as they go, by appenders set to lose nothing; the end is the last line on the
   * disk.
   */
  THROUGHPUT_2(Load.UNPACED_KEEPING, 2, 0, Fault.NONE, 2, 0),

  /** As THROUGHPUT_2 with four producers. */
  THROUGHPUT_4(Load.UNPACED_KEEPING, 4, 0, Fault.NONE, 2, 0),

  /** Log calls as fast as they go, by appenders as they are set by default. */
  OVERLOAD(Load.UNPACED, 2, 0, Fault.NONE, 2, 2);

  /** How log calls are made. */
  public enum Load {
    /** None. */
    NONE,
    /** Each producer has a schedule, one event every 1/rate seconds, issued in ticks of 1 ms. */
    PACED,
    /** As many events as the rate gives in 200 ms, back to back, every 200 ms. */
    BURSTS,
    /** Back to back for the measured time. */
    UNPACED,
    /** A fixed number of events, back to back, with an appender that is set to keep all. */
    UNPACED_KEEPING
  }

  /** What is done to the log disk. */
  public enum Fault {
    NONE,
    FROZEN_DISK,
    NOISY_NEIGHBOUR,
    FULL_DISK
  }

  private final Load load;
  private final int producers;
  private final int eventsPerSecond;
  private final Fault fault;
  private final int warmUpSeconds;
  private final int seconds;

  Scenario(
      Load load, int producers, int eventsPerSecond, Fault fault, int warmUpSeconds, int seconds) {
    this.load = load;
    this.producers = producers;
    this.eventsPerSecond = eventsPerSecond;
    this.fault = fault;
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
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

  /** What is done to the log disk. */
  public Fault fault() {
    return fault;
  }

  /** Time before the measurement in which the same load is made and nothing is measured. */
  public int warmUpSeconds() {
    return warmUpSeconds;
  }

  /** Measured time; 0 where a number of events is measured. */
  public int seconds() {
    return seconds;
  }

  /** As it is written on the command line and in file names: {@code frozen-disk}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
