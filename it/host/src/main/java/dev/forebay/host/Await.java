package dev.forebay.host;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Waits for other threads or processes, with a deadline that is only reached when a test fails. */
public final class Await {

  /** May throw what a look at a file or a process throws. */
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /**
   * Shorter than a minute: then whoever sleeps looks around, and what should wake it is not seen.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration OF_PROCESSES = Duration.ofMinutes(2);

  /** Soon after the begin for what other threads do, seldom then, for a look may cost a process. */
  private static final long FIRST_STEP_NS = 200_000;

  private static final long LONGEST_STEP_NS = 2_000_000;

  private Await() {}

  /** Waits until the condition holds; fails with {@code what} after half a minute. */
  public static <E extends Exception> void until(String what, Condition<E> condition) throws E {
    until(PATIENCE, what, condition);
  }

  /** The same for what a process does that may have to start beside many others: two minutes. */
  public static <E extends Exception> void process(String what, Condition<E> condition) throws E {
    until(OF_PROCESSES, what, condition);
  }

  private static <E extends Exception> void until(
      Duration patience, String what, Condition<E> condition) throws E {
    if (!within(patience, condition)) {
      throw new AssertionError("after " + patience.toSeconds() + " s still not: " + what);
    }
  }

  /** Whether the condition came to hold in time. */
  public static <E extends Exception> boolean within(Duration patience, Condition<E> condition)
      throws E {
    long deadlineNs = System.nanoTime() + patience.toNanos();
    long stepNs = FIRST_STEP_NS;
    while (!condition.holds()) {
      if (System.nanoTime() - deadlineNs >= 0) {
        return false;
      }
      LockSupport.parkNanos(stepNs);
      stepNs = Math.min(2 * stepNs, LONGEST_STEP_NS);
    }
    return true;
  }

  /** Waits for a latch, whether the thread is interrupted or not. */
  public static void latch(CountDownLatch latch) {
    until("a latch opens", () -> latch.getCount() == 0);
  }

  /** Waits until the statuses of our threads so far are added, unless a listener blocks. */
  public static void said() {
    boolean unused = within(Duration.ofSeconds(10), () -> !isAlive("forebay-status"));
  }

  private static boolean isAlive(String thread) {
    Thread[] all = new Thread[2 * Thread.activeCount() + 10];
    int count = Thread.enumerate(all);
    return Arrays.stream(all, 0, count).anyMatch(one -> one.getName().equals(thread));
  }

  /** Waits until a thread has ended. */
  public static void end(Thread thread) {
    until(thread + " ends", () -> !thread.isAlive());
  }

  /** Lets time pass where time itself is what is tested: a kill at a random moment, a pace. */
  public static void pass(Duration time) {
    long deadlineNs = System.nanoTime() + time.toNanos();
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }
}
