package dev.forebay.it.demo;

import java.util.List;
import java.util.Locale;

/**
 * How much load for how long. Two idle processors are less than half busy with the most of it;
 * others get what {@link Calibration} finds.
 */
final class Plan {

  static final double BEFORE_SECONDS = 7;
  static final double AFTER_SECONDS = 7.5;

  private static final int QUEUE = 8_192;

  /** As the application logs them. */
  private static final int EVENTS_PER_REQUEST = 83;

  /** Of the time in which the AsyncAppender's queue fills. */
  private static final double STALL_TIMES = 1.9;

  private static final double STALL_LEAST_SECONDS = 5;
  private static final double STALL_MOST_SECONDS = 12;

  private Plan() {}

  /** How long the disk does not answer: longer where less is logged in that time. */
  static double stallSeconds(int requestsPerSecond) {
    double fillSeconds = (double) QUEUE / (EVENTS_PER_REQUEST * requestsPerSecond);
    return Math.min(STALL_MOST_SECONDS, Math.max(STALL_LEAST_SECONDS, STALL_TIMES * fillSeconds));
  }

  /** What the demo is going to do, for the user. */
  static List<String> introduction(String disk) {
    return List.of(
        "Two Play applications, root logger at TRACE, log JSON to one disk:",
        "  Forebay   dev.forebay.tiered.TieredAppender, ring of 8192 events, its default",
        "  Async     Logback's AsyncAppender, queueSize 8192, discardingThreshold 0, around a"
            + " RollingFileAppender",
        "The disk is " + disk + ".",
        "In the warm-up the load grows to what this machine can answer, at most "
            + Calibration.MOST
            + " requests/s to each.");
  }

  /** What the warm-up has found, for the user. */
  static String load(int requestsPerSecond) {
    return String.format(
        Locale.ROOT,
        "Load on each: %d requests/s, %d log events each, for %.0f s;"
            + " the disk stops answering for %.1f s.",
        requestsPerSecond,
        EVENTS_PER_REQUEST,
        BEFORE_SECONDS + stallSeconds(requestsPerSecond) + AFTER_SECONDS,
        stallSeconds(requestsPerSecond));
  }
}
