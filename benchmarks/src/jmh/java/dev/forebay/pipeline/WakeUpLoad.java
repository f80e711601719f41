package dev.forebay.pipeline;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Groups of events at equal distances, from each of some callers.
 *
 * @param label for people
 * @param events of a group
 * @param groupNs distance of the groups
 */
record WakeUpLoad(String label, int callers, int events, long groupNs) {

  static WakeUpLoad paced(int callers, int perSecond) {
    int events = Math.max(1, perSecond / 1_000);
    return new WakeUpLoad(
        "%,d/s".formatted(callers * perSecond),
        callers,
        events,
        TimeUnit.SECONDS.toNanos(events) / perSecond);
  }

  static WakeUpLoad bursts(int callers, int events, int groupMs) {
    return new WakeUpLoad(
        "%,d each %d ms".formatted(callers * events, groupMs),
        callers,
        events,
        TimeUnit.MILLISECONDS.toNanos(groupMs));
  }

  /** Makes the calls of one caller until it is over; returns their number. */
  long run(long beginNs, AtomicBoolean isOver, Runnable call) {
    long calls = 0;
    for (long groupAtNs = beginNs; !isOver.get(); groupAtNs += groupNs) {
      for (long left = groupAtNs - System.nanoTime();
          left > 0;
          left = groupAtNs - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
      }
      for (int i = 0; i < events; i++) {
        call.run();
      }
      calls += events;
    }
    return calls;
  }
}
