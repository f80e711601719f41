package dev.forebay.tiered.ship;

import org.jspecify.annotations.Nullable;

/** When a periodic action is due again, on the monotonic clock. For one thread. */
final class Interval {

  /** A failed attempt is repeated after 20 ms, doubling up to 2 s. */
  private static final long FIRST_RETRY_NS = 20_000_000;

  private static final long MAX_RETRY_NS = 2_000_000_000;
  private static final int MAX_DOUBLINGS = 7;

  /** Null: at once. */
  private @Nullable Long nextNs;

  /** In succession, without progress. */
  int failures;

  private long failedAt;

  boolean isDue(long nowNs) {
    return dueInNs(nowNs) == 0;
  }

  /** Time until the action is due, nanoseconds; 0 if it is. */
  long dueInNs(long nowNs) {
    return nextNs == null ? 0 : Math.max(0, nextNs - nowNs);
  }

  /** Whether the action is due regardless of the time. */
  boolean isRequested() {
    return nextNs == null;
  }

  /** The action is due, and no failure counts any more. */
  void now() {
    nextNs = null;
    failures = 0;
  }

  /** The action failed when it was so far: a pipe that is full for a moment takes more soon. */
  void failed(long nowNs, long reached) {
    failures = reached == failedAt ? failures : 0;
    failedAt = reached;
    long pauseNs = FIRST_RETRY_NS << Math.min(failures, MAX_DOUBLINGS);
    failures++;
    done(nowNs, Math.min(MAX_RETRY_NS, pauseNs));
  }

  /** The action was done or postponed; it is due again after the pause. */
  void done(long nowNs, long pauseNs) {
    nextNs = nowNs + pauseNs;
  }
}
