package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import java.util.function.LongConsumer;

/**
 * Makes the calls of a {@link Schedule}, and none of the calls that a waiting one holds up goes
 * unnoticed.
 *
 * <p>At each tick all due calls are made. A call is measured from just before it. But when one
 * lasts longer than a tick, all calls until the schedule is caught up with are late because of it:
 * these are measured from the time they were due, or from the begin of that long call when they
 * were due before it.
 */
final class ScheduledCalls {

  /** Takes what was measured. */
  interface Times {
    /**
     * Adds one call.
     *
     * @param dueNs when the call was due
     * @param fromNs from when it is measured
     * @param toNs when it returned
     */
    void add(long dueNs, long fromNs, long toNs);
  }

  private final Schedule schedule;
  private final NanoClock clock;
  private final LongConsumer parkUntilNs;
  private final Runnable call;
  private final Times times;

  /** Begin of the long call that the schedule was not caught up with since. */
  private long heldUpSinceNs;

  private boolean heldUp;

  ScheduledCalls(
      Schedule schedule, NanoClock clock, LongConsumer parkUntilNs, Runnable call, Times times) {
    this.schedule = schedule;
    this.clock = clock;
    this.parkUntilNs = parkUntilNs;
    this.call = call;
    this.times = times;
  }

  /** All calls, on the thread of the caller. */
  void run() {
    long next = 0;
    while (next < schedule.events()) {
      long tickNs = schedule.tickNsOf(next);
      if (clock.nanoTime() - tickNs < 0) {
        heldUp = false;
        parkUntilNs.accept(tickNs);
      }
      long nowNs = clock.nanoTime();
      while (next < schedule.events() && schedule.dueNs(next) - nowNs <= 0) {
        makeOne(schedule.dueNs(next));
        next++;
      }
    }
  }

  private void makeOne(long dueNs) {
    long beforeNs = clock.nanoTime();
    call.run();
    long afterNs = clock.nanoTime();
    times.add(dueNs, heldUp ? Math.max(dueNs, heldUpSinceNs) : beforeNs, afterNs);
    if (!heldUp && afterNs - beforeNs > schedule.tickNs()) {
      heldUp = true;
      heldUpSinceNs = beforeNs;
    }
  }
}
