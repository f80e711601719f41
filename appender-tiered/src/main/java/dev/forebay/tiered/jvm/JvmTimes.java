package dev.forebay.tiered.jvm;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * When the clocks of a JVM that do not show the time of day were zero.
 *
 * @param uptimeZero when the JVM was started
 * @param nanosZero when {@code System.nanoTime} was 0, or would have been
 */
record JvmTimes(Instant uptimeZero, Instant nanosZero) {

  /** Of this JVM, by the time of day now. */
  static JvmTimes ofThisJvm(InstantSource clock, LongSupplier nanoClock) {
    Instant now = clock.instant();
    return new JvmTimes(
        now.minusMillis(ManagementFactory.getRuntimeMXBean().getUptime()),
        now.minusNanos(nanoClock.getAsLong()));
  }
}
