package dev.forebay.tiered.ship;

/**
 * When to retry after a failure: after 20 ms, doubling up to 2 s. Uses the monotonic clock, so that
 * setting the wall clock back does not stop shipping. For one thread.
 */
final class RetryDelay {

  static final long FIRST_NS = 20_000_000;
  static final long MAX_NS = 2_000_000_000;

  private long delayNs;
  private long notBeforeNs;

  void failed(long nowNs) {
    delayNs = delayNs == 0 ? FIRST_NS : Math.min(MAX_NS, 2 * delayNs);
    notBeforeNs = nowNs + delayNs;
  }

  void succeeded() {
    delayNs = 0;
  }

  /** Whether the last attempt failed. */
  boolean isRetrying() {
    return delayNs != 0;
  }

  boolean isOver(long nowNs) {
    return delayNs == 0 || nowNs - notBeforeNs >= 0;
  }
}
