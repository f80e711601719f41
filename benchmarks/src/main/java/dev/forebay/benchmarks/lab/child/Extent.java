package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Scenario;
import java.util.concurrent.TimeUnit;

/**
 * How long a run lasts.
 *
 * @param warmUpNs time before the measured time; where a number of events is measured, the least
 *     time from the start of the logging system to the first of them
 * @param measuredNs measured time
 * @param warmUpEvents events before the measured ones, all producers together, where a number of
 *     events is measured
 * @param events measured events, all producers together, where a number of events is measured
 */
record Extent(long warmUpNs, long measuredNs, int warmUpEvents, int events) {

  /**
   * That of the scenario; the system properties {@code lab.warmUpSeconds}, {@code lab.seconds} and
   * {@code lab.events} make it another one.
   */
  static Extent of(Scenario scenario) {
    int events = Integer.getInteger("lab.events", scenario.events());
    long warmUpEvents = (long) events * scenario.warmUpEvents() / Math.max(1, scenario.events());
    return new Extent(
        nanos("lab.warmUpSeconds", scenario.warmUpSeconds()),
        nanos("lab.seconds", scenario.seconds()),
        (int) warmUpEvents,
        events);
  }

  private static long nanos(String property, int seconds) {
    String other = System.getProperty(property);
    return other == null
        ? TimeUnit.SECONDS.toNanos(seconds)
        : (long) (Double.parseDouble(other) * TimeUnit.SECONDS.toNanos(1));
  }
}
