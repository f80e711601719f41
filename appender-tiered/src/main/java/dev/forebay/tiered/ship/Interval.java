package dev.forebay.tiered.ship;

/** When a periodic action is due again, on the monotonic clock. For one thread. */
final class Interval {

  private boolean asked = true;
  private long nextNs;

  boolean isDue(long nowNs) {
    return asked || nowNs - nextNs >= 0;
  }

  /** Whether it is due regardless of the time. */
  boolean isAsked() {
    return asked;
  }

  /** Makes it due at once. */
  void now() {
    asked = true;
  }

  /** It was done or postponed; due again after the pause. */
  void done(long nowNs, long pauseNs) {
    asked = false;
    nextNs = nowNs + pauseNs;
  }
}
