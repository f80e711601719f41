package dev.forebay.agent;

import java.util.concurrent.locks.LockSupport;
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

  @Override
  default long getAsLong() {
    return nanoTime();
  }

  /**
   * How threads wait that do not log, those that start, flush and stop: looks, ever more seldom,
   * until something is so. An interrupt does not shorten the wait; the interrupt flag stays set.
   *
   * @param isSo sees the flag of an interrupt once
   * @param timeoutNs longest wait, nanoseconds; 0 or less only looks
   * @return whether it is so
   */
  default boolean await(BooleanSupplier isSo, long timeoutNs) {
    long startNs = nanoTime();
    long parkNs = 50_000;
    boolean interrupted = false;
    boolean done = isSo.getAsBoolean();
    while (!done && nanoTime() - startNs < timeoutNs) {
      LockSupport.parkNanos(parkNs);
      parkNs = Math.min(2 * parkNs, 1_000_000);
      done = isSo.getAsBoolean();
      interrupted |= Thread.interrupted(); // else the next park would not wait
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return done;
  }
}
