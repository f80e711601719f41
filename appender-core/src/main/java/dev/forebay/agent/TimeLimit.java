package dev.forebay.agent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How long one thread waits at most, in time that the process had: from one look to the next no
 * more counts than a tenth of the limit, or a second. Meanwhile the process may have been stopped
 * (SIGSTOP, {@code docker pause}, a suspended machine), or the thread was without a processor.
 *
 * @hidden
 */
public final class TimeLimit {

  /** The least number of looks before the time is over. */
  public static final int LOOKS = 10;

  /** Most that counts from one look to the next, nanoseconds. */
  public static final long MAX_GAP_NS = 1_000_000_000;

  private final NanoClock clock;
  private final long maxGapNs;
  private long leftNs;
  private long lookedNs;

  /**
   * @param limitNs nanoseconds; 0 or less: no time
   */
  public TimeLimit(NanoClock clock, long limitNs) {
    this.clock = clock;
    this.leftNs = Math.max(0, limitNs);
    this.maxGapNs = Math.max(1, Math.min(leftNs / LOOKS, MAX_GAP_NS));
    this.lookedNs = clock.nanoTime();
  }

  /** The time left, nanoseconds; 0 or less if it is over. Counts as a look. */
  public long leftNs() {
    long nowNs = clock.nanoTime();
    leftNs -= Math.min(nowNs - lookedNs, maxGapNs);
    lookedNs = nowNs;
    return leftNs;
  }

  /** As {@link NanoClock#await}, within this limit. */
  public boolean await(BooleanSupplier isSo) {
    long parkNs = 50_000;
    boolean interrupted = false;
    boolean done = isSo.getAsBoolean();
    while (!done && leftNs() > 0) {
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
