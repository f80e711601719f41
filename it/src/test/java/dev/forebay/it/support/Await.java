package dev.forebay.it.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for something that other threads or processes do. */
public final class Await {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long STEP_NS = 2_000_000;

  private Await() {}

  /** Waits until the condition holds; fails with {@code what} after half a minute. */
  public static void until(String what, Callable<Boolean> condition) throws Exception {
    if (!within(PATIENCE, condition)) {
      throw new AssertionError("after " + PATIENCE.toSeconds() + " s still not: " + what);
    }
  }

  /** Whether the condition came to hold in time. */
  public static boolean within(Duration patience, Callable<Boolean> condition) throws Exception {
    long deadlineNs = System.nanoTime() + patience.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - deadlineNs >= 0) {
        return false;
      }
      LockSupport.parkNanos(STEP_NS);
    }
    return true;
  }

  /** Lets time pass where time itself is what is tested: a kill at a random moment, a pace. */
  public static void pass(Duration time) {
    long deadlineNs = System.nanoTime() + time.toNanos();
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }
}
