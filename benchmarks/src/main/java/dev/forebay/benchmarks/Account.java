package dev.forebay.benchmarks;

/**
 * What became of the events of a benchmark.
 *
 * @param offered log calls made, counted by the threads that made them
 * @param delivered events that arrived behind the appender, counted there
 * @param dropped events that the appender itself says it dropped
 */
record Account(long offered, long delivered, long dropped) {

  static final Account NOTHING = new Account(0, 0, 0);

  /** Events that are gone without a trace. */
  long unaccounted() {
    return offered - delivered - dropped;
  }

  /** What happened since an earlier account. */
  Account since(Account earlier) {
    return new Account(
        offered - earlier.offered, delivered - earlier.delivered, dropped - earlier.dropped);
  }

  /** Makes the run void, by an exception, when events are unaccounted for. */
  void requireNoneUnaccounted(String appender) {
    if (unaccounted() != 0) {
      throw new IllegalStateException(
          "%s: offered %d must be delivered %d + dropped %d, but %d are unaccounted for: run void"
              .formatted(appender, offered, delivered, dropped, unaccounted()));
    }
  }
}
