package dev.forebay.it.support;

import java.io.IOException;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * How long log calls took, for the record: nothing here makes a test fail, because on a busy
 * machine a call also waits for its turn on the processor. Any thread.
 */
public final class CallTimes {

  private final LongAccumulator longestNs = new LongAccumulator(Math::max, 0);

  /** Does a log call and measures it. */
  public void measure(Runnable logCall) {
    long startNs = System.nanoTime();
    logCall.run();
    longestNs.accumulate(System.nanoTime() - startNs);
  }

  public long longestNs() {
    return longestNs.get();
  }

  /** Forgets what was measured. */
  public void reset() {
    longestNs.reset();
  }

  /** Writes the longest call under a fault down, beside the reports of the tests. */
  public void record(String fault) throws IOException {
    record(fault, longestNs());
  }

  /** As the other, with a time that was measured in another process. */
  public static void record(String fault, long longestNs) throws IOException {
    Figures.record("longest-log-calls.txt", "%-60s %10.3f ms", fault, longestNs / 1e6);
  }
}
