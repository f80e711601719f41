package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Measurement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long log calls took. Filled by one thread, read by another when that one has finished. */
final class CallTimes {

  private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(Measurement.STEP_MS);

  /** Calls may end long after the measured time; later ones count for the last step. */
  private static final int MAX_STEPS = 36_000;

  private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);

  private final Histogram all = new Histogram(LONGEST_NS, 3);

  /** The longest call that ended in each step since the begin of the measured time. */
  private long[] longestNs;

  CallTimes(long measuredNs) {
    longestNs = new long[stepsOf(measuredNs)];
  }

  private static int stepsOf(long measuredNs) {
    return (int) Math.min(MAX_STEPS, (measuredNs + STEP_NS - 1) / STEP_NS);
  }

  /**
   * @param sinceStartNs from the begin of the measured time to the end of the call
   * @param lengthNs how long the call took
   */
  void add(long sinceStartNs, long lengthNs) {
    all.recordValue(Math.min(Math.max(1, lengthNs), LONGEST_NS));
    int step = (int) Math.min(MAX_STEPS - 1, Math.max(0, sinceStartNs) / STEP_NS);
    if (step >= longestNs.length) {
      longestNs = Arrays.copyOf(longestNs, step + 1);
    }
    longestNs[step] = Math.max(longestNs[step], lengthNs);
  }

  /** Adds those of another thread. */
  void addAll(CallTimes other) {
    all.add(other.all);
    longestNs = Arrays.copyOf(longestNs, Math.max(longestNs.length, other.longestNs.length));
    for (int step = 0; step < other.longestNs.length; step++) {
      longestNs[step] = Math.max(longestNs[step], other.longestNs[step]);
    }
  }

  Histogram all() {
    return all;
  }

  List<Long> longestNs() {
    return Arrays.stream(longestNs).boxed().toList();
  }
}
