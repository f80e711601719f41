package dev.forebay.benchmarks.lab.jvm;

/** One number of a run. Times are in nanoseconds. */
public enum JvmFigure {
  /** Time of the process from its start to its end; of several, the median. */
  WALL_NS,
  /** Processor time of the process; of several, the mean. */
  CPU_NS,
  /** Voluntary context switches, the same. */
  VOLUNTARY_SWITCHES,
  /** Involuntary context switches, the same. */
  INVOLUNTARY_SWITCHES,
  /** Lines of the log in the measured time; of a program that has none, all of a run. */
  LINES,
  /** Messages that the JVM says it dropped. */
  DROPPED,
  /** Bytes that the JVM wrote in the measured time or after it and a carried log has not. */
  LOST_BYTES,
  /** When the measured time began, by System.nanoTime. */
  ORIGIN_NS,
  /** Safepoints in the measured time. */
  SAFEPOINTS,
  /** Of these, those above 250 ms. */
  LONG_SAFEPOINTS,
  /** The longest of them, from the request until all threads went on. */
  LONGEST_NS,
  /** Their median. */
  MEDIAN_NS,
  /** Their sum. */
  SUM_NS,
  /** The longest that overlapped the fault. */
  LONGEST_IN_FAULT_NS,
  /** The longest time in which the program could not allocate what was due. */
  HELD_UP_NS,
  /** Pauses of all threads, corrected for those that a pause hides: 99.9th percentile. */
  HICCUP_P999_NS,
  /** The same, 99.99th percentile. */
  HICCUP_P9999_NS,
  /** The longest of them. */
  HICCUP_MAX_NS,
  /** When the program called System.exit, by System.nanoTime. */
  LEFT_NS,
  /** From System.exit to the end of the process. */
  EXIT_NS,
  /** How long the disk was frozen. */
  FAULT_NS,
  /** Voluntary context switches a second of all threads, in a process that does nothing. */
  IDLE_SWITCHES,
  /** The same without the JVM's own threads. */
  IDLE_OTHER_SWITCHES,
  /** Processor time a second of all threads, in a process that does nothing. */
  IDLE_CPU_NS
}
