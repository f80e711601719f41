package dev.forebay.tiered.ship;

/** When a periodic action is due again, on the monotonic clock. For one thread. */
final class Interval {

  private boolean requested = true;
  private long nextNs;

  boolean isDue(long nowNs) {
    return requested || nowNs - nextNs >= 0;
  }

  /** Until it is due, nanoseconds; 0 if it is. */
  long dueInNs(long nowNs) {
    return isDue(nowNs) ? 0 : nextNs - nowNs;
  }

  /** Whether it is due regardless of the time. */
  boolean isRequested() {
    return requested;
  }

  void now() {
    requested = true;
  }

  /** It was done or postponed; due again after the pause. */
  void done(long nowNs, long pauseNs) {
    requested = false;
    nextNs = nowNs + pauseNs;
  }
}
