package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Scenario;
import java.util.concurrent.TimeUnit;

/**
 * How long a run lasts.
 *
 * @param warmUpNs time before the measured time
 * @param measuredNs measured time
 * @param warmUpEvents events before the measured ones, all producers together, where a number of
 *     events is measured
 * @param events measured events, all producers together, where a number of events is measured
 */
record Extent(long warmUpNs, long measuredNs, int warmUpEvents, int events) {

  /** Takes the fastest peers about a second, and the slowest about four. */
  private static final int EVENTS = 2_500_000;

  /** Of that number, the part that is made before. */
  private static final int WARM_UP_SHARE = 5;

  /**
   * That of the scenario; the system properties {@code lab.warmUpSeconds}, {@code lab.seconds} and
   * {@code lab.events} make it another one.
   */
  static Extent of(Scenario scenario) {
    int events = Integer.getInteger("lab.events", EVENTS);
    return new Extent(
        nanos("lab.warmUpSeconds", scenario.warmUpSeconds()),
        nanos("lab.seconds", scenario.seconds()),
        events / WARM_UP_SHARE,
        events);
  }

  private static long nanos(String property, int seconds) {
    String other = System.getProperty(property);
    return other == null
        ? TimeUnit.SECONDS.toNanos(seconds)
        : (long) (Double.parseDouble(other) * TimeUnit.SECONDS.toNanos(1));
  }
}
