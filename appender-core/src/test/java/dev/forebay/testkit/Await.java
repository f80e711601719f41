package dev.forebay.testkit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for other threads, with a deadline that is only reached when a test fails. */
public final class Await {

  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long LOOK_AGAIN_NS = 200_000;

  private Await() {}

  /** Waits until {@code condition} holds. */
  public static void until(String what, BooleanSupplier condition) {
    long startNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNs > DEADLINE_NS) {
        throw new AssertionError("waited in vain: " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN_NS);
    }
  }

  /** Waits for a latch, whether the thread is interrupted or not; keeps its interrupt flag. */
  public static void latch(CountDownLatch latch) {
    boolean interrupted = false;
    long startNs = System.nanoTime();
    try {
      while (true) {
        try {
          if (latch.await(DEADLINE_NS - (System.nanoTime() - startNs), TimeUnit.NANOSECONDS)) {
            return;
          }
          throw new AssertionError("waited in vain for a latch");
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits until a thread has ended. */
  public static void end(Thread thread) {
    until(thread + " ends", () -> !thread.isAlive());
  }
}
