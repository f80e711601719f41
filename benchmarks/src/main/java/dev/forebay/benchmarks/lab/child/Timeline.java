package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import java.util.concurrent.locks.LockSupport;

/**
 * When things happen in a run, by {@link System#nanoTime}.
 *
 * @param loadFromNs warm-up begins
 * @param measuredFromNs measured time begins
 * @param measuredToNs measured time ends
 */
record Timeline(long loadFromNs, long measuredFromNs, long measuredToNs) {

  /** Time for the threads to start. */
  private static final long LEAD_NS = 50_000_000;

  static Timeline beginningSoon(Extent extent) {
    long loadFromNs = NanoClock.SYSTEM.nanoTime() + LEAD_NS;
    long measuredFromNs = loadFromNs + extent.warmUpNs();
    return new Timeline(loadFromNs, measuredFromNs, measuredFromNs + extent.measuredNs());
  }

  long measuredNs() {
    return measuredToNs - measuredFromNs;
  }

  /** Parks the calling thread. */
  static void parkUntil(long ns) {
    for (long left = ns - NanoClock.SYSTEM.nanoTime();
        left > 0;
        left = ns - NanoClock.SYSTEM.nanoTime()) {
      LockSupport.parkNanos(Timeline.class, left);
    }
  }
}
