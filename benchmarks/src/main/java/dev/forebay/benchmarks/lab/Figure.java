package dev.forebay.benchmarks.lab;

/**
 * One number of a measurement. Times are in nanoseconds. Unless it says otherwise a figure is of
 * the measured time, without start, warm-up and stop.
 */
public enum Figure {
  /** Log calls made in the measured JVM, warm-up included: what the lines are compared with. */
  OFFERED,
  /** Lines found when the appender had stopped, without those it added by itself. */
  LINES,
  /** Events that the appender itself says it dropped, warm-up included. */
  DROPPED,
  /**
   * Events that a flight recorder has recorded and given up, warm-up included and all that it held
   * at the end.
   */
  EXPIRED,
  /** Events that a flight recorder holds at the end of the measured time. */
  HELD,
  /** Lines that the appender added to report drops. */
  REPORTS,
  /** Log calls in the measured time, without {@link #TRACE_CALLS}. */
  CALLS,
  /** Measured time; where a number of events is measured, until the last is on the disk. */
  ELAPSED_NS,
  /** Of ELAPSED_NS, the part until the last log call returned. */
  CALLING_NS,
  /** Processor time of the threads that log. */
  CALLER_CPU_NS,
  /**
   * Processor time of all other threads that existed at the beginning and at the end; where a
   * number of events is measured, also of those that ended before that.
   */
  OTHER_CPU_NS,
  /** Of OTHER_CPU_NS, the part of the JVM's own threads: compilers, collectors, and so on. */
  JVM_CPU_NS,
  /** Voluntary context switches of all threads but the JVM's own. */
  VOLUNTARY_SWITCHES,
  /** Of VOLUNTARY_SWITCHES, the part of the threads that log. */
  CALLER_VOLUNTARY_SWITCHES,
  /** Involuntary context switches of all threads but the JVM's own. */
  INVOLUNTARY_SWITCHES,
  /** Heap allocated by the threads that log. */
  CALLER_ALLOCATED_BYTES,
  /** Heap allocated by all other threads. */
  OTHER_ALLOCATED_BYTES,
  /** Collections. */
  GC_COUNT,
  /** Time in collections. */
  GC_NS,
  /** Time from the call of an event to its encoding, median of a sample; Logback peers only. */
  RESIDENCE_P50_NS,
  /** The same, 99th percentile. */
  RESIDENCE_P99_NS,
  /** Time of a call at TRACE, where these are timed by themselves, median. */
  TRACE_P50_NS,
  /** The same, 99th percentile. */
  TRACE_P99_NS,
  /** The same, 99.9th percentile. */
  TRACE_P999_NS,
  /** Calls at TRACE, where these are timed by themselves; switched off or not. */
  TRACE_CALLS,
  /** Bytes that the process wrote to disks or to their page cache; tmpfs is none. */
  DISK_BYTES,
  /**
   * Heap that is in use after a collection while the disk is still frozen, without what was in use
   * before the load.
   */
  HELD_HEAP_BYTES,
  /** Files of the spool in memory, at the same time. */
  HELD_SPOOL_BYTES,
  /** Time to configure and start the logging system. */
  START_NS,
  /** Time to stop it. */
  STOP_NS
}
