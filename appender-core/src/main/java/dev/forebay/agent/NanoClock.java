package dev.forebay.agent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A monotonic clock in nanoseconds with an arbitrary origin; tests replace it. */
@FunctionalInterface
public interface NanoClock extends LongSupplier {

  /**
   * The clock of the running system. The one place that reads it. No lambda: these cost a start.
   */
  NanoClock SYSTEM =
      new NanoClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /** Now, in nanoseconds. */
  long nanoTime();

  /** A wait of this time, or of about 292 years if that is less. */
  default TimeLimit limit(Duration time) {
    return new TimeLimit(this, TimeUnit.NANOSECONDS.convert(time));
  }

  @Override
  default long getAsLong() {
    return nanoTime();
  }

  /**
   * How threads that start, flush and stop wait, not those that log: looks, ever more seldom, until
   * a condition holds. An interrupt does not shorten the wait; the interrupt flag stays set.
   *
   * @param isSo the condition; sees the flag of an interrupt once
   * @param timeoutNs longest wait, nanoseconds, as a {@link TimeLimit}; 0 or less only looks
   * @return whether the condition holds
   */
  default boolean await(BooleanSupplier isSo, long timeoutNs) {
    return new TimeLimit(this, timeoutNs).await(isSo);
  }
}
