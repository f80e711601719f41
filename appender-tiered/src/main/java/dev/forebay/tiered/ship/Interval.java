package dev.forebay.tiered.ship;

/** When a periodic action is due again, on the monotonic clock. For one thread. */
final class Interval {

  /** A failed attempt is repeated after 20 ms, doubling up to 2 s. */
  private static final long FIRST_RETRY_NS = 20_000_000;

  private static final long MAX_RETRY_NS = 2_000_000_000;
  private static final int MAX_DOUBLINGS = 7;

  private boolean requested = true;
  private long nextNs;

  boolean isDue(long nowNs) {
    return requested || nowNs - nextNs >= 0;
  }

  /** Time until the action is due, nanoseconds; 0 if it is. */
  long dueInNs(long nowNs) {
    return isDue(nowNs) ? 0 : nextNs - nowNs;
  }

  /** Whether the action is due regardless of the time. */
  boolean isRequested() {
    return requested;
  }

  void now() {
    requested = true;
  }

  /** The action failed, after so many failures. */
  void failed(long nowNs, int failures) {
    long pauseNs = FIRST_RETRY_NS << Math.min(failures, MAX_DOUBLINGS);
    done(nowNs, Math.min(MAX_RETRY_NS, pauseNs));
  }

  /** The action was done or postponed; it is due again after the pause. */
  void done(long nowNs, long pauseNs) {
    requested = false;
    nextNs = nowNs + pauseNs;
  }
}
