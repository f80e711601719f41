package dev.forebay.tiered.ship;

/**
 * When to retry after a failure: after 20 ms, doubling up to 2 s. Uses the monotonic clock, so that
 * setting the wall clock back does not stop shipping. For one thread.
 */
final class RetryDelay {

  static final long FIRST_NS = 20_000_000;
  static final long MAX_NS = 2_000_000_000;

  /** Doublings until the longest delay is reached. */
  private static final int MAX_DOUBLINGS = 7;

  /** In succession. */
  private int failures;

  private long notBeforeNs;

  void failed(long nowNs) {
    long delayNs = Math.min(MAX_NS, FIRST_NS << Math.min(failures, MAX_DOUBLINGS));
    failures++;
    notBeforeNs = nowNs + delayNs;
  }

  void succeeded() {
    failures = 0;
  }

  /** How many attempts have failed since the last success. */
  int failures() {
    return failures;
  }

  boolean isOver(long nowNs) {
    return failures == 0 || nowNs - notBeforeNs >= 0;
  }
}
