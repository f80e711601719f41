package dev.forebay.agent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How threads wait that do not log: those that start, flush and stop. */
public final class Patience {

  private static final long FIRST_PARK_NS = 50_000;
  private static final long MAX_PARK_NS = 1_000_000;

  private Patience() {}

  /**
   * Looks, ever more seldom, until something is so. An interrupt does not shorten the wait; the
   * interrupt flag stays set.
   *
   * @param isSo sees the flag of an interrupt once
   * @param timeoutNs longest wait, nanoseconds; 0 or less only looks
   * @return whether it is so
   */
  public static boolean await(BooleanSupplier isSo, long timeoutNs, NanoClock clock) {
    long startNs = clock.nanoTime();
    long parkNs = FIRST_PARK_NS;
    boolean interrupted = false;
    boolean done = isSo.getAsBoolean();
    while (!done && clock.nanoTime() - startNs < timeoutNs) {
      LockSupport.parkNanos(parkNs);
      parkNs = Math.min(2 * parkNs, MAX_PARK_NS);
      done = isSo.getAsBoolean();
      interrupted |= Thread.interrupted(); // else the next park would not wait
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return done;
  }
}
