package dev.forebay.it.demo;

import java.util.List;
import java.util.Locale;

/** How much load for how long, chosen so that two processors are less than half busy with it. */
final class Plan {

  static final int REQUESTS_PER_SECOND = 150;

  /** The load grows over this time; not reported. */
  static final double WARM_UP_SECONDS = 9;

  static final double BEFORE_SECONDS = 7;
  static final double STALL_SECONDS = 5;
  static final double AFTER_SECONDS = 7.5;

  private Plan() {}

  /** Of the AsyncAppender: below so many free places it drops TRACE, DEBUG and INFO; 0 never. */
  static String discardingThreshold() {
    return System.getProperty("demo.discardingThreshold", "0");
  }

  /** What the demo is going to do, for the user. */
  static List<String> introduction(String disk) {
    return List.of(
        "Two Play applications, root logger at TRACE, log JSON to one disk:",
        "  Forebay   dev.forebay.tiered.TieredAppender, ring of 32768 events",
        "  Async     Logback's AsyncAppender, queueSize 32768, discardingThreshold "
            + discardingThreshold()
            + ", around a RollingFileAppender",
        "The disk is " + disk + ".",
        String.format(
            Locale.ROOT,
            "Load on each: %d requests/s for %.0f s after %.0f s of warm-up;"
                + " the disk stops answering for %.0f s.",
            REQUESTS_PER_SECOND,
            BEFORE_SECONDS + STALL_SECONDS + AFTER_SECONDS,
            WARM_UP_SECONDS,
            STALL_SECONDS));
  }
}
