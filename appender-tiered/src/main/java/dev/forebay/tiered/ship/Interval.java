package dev.forebay.tiered.ship;

/** When to do again what is done from time to time, on the monotonic clock. For one thread. */
final class Interval {

  private boolean asked = true;
  private long nextNs;

  boolean isDue(long nowNs) {
    return asked || nowNs - nextNs >= 0;
  }

  /** Whether it is due whatever the time. */
  boolean isAsked() {
    return asked;
  }

  /** Without waiting for the time. */
  void now() {
    asked = true;
  }

  /** It was done, or put off; the next time is after a pause. */
  void done(long nowNs, long pauseNs) {
    asked = false;
    nextNs = nowNs + pauseNs;
  }
}
