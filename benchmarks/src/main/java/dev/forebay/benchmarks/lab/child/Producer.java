package dev.forebay.benchmarks.lab.child;

import dev.forebay.agent.NanoClock;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What a thread that logs does. */
final class Producer {

  /** A processor that slept so long has used its caches for others. */
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final OrderLog log;
  private final CallTimes times;
  private final CallTimes traceTimes;

  Producer(int number, Extent extent) {
    log = new OrderLog(number);
    times = new CallTimes(extent.measuredNs());
    traceTimes = new CallTimes(extent.measuredNs());
  }

  /** Log calls made. */
  OrderLog log() {
    return log;
  }

  /** Times of the measured ones. */
  CallTimes times() {
    return times;
  }

  /** Times of the measured ones at TRACE, where these are told apart. */
  CallTimes traceTimes() {
    return traceTimes;
  }

  /** Calls at the times of a schedule; measured are those due in the measured time. */
  void callOnSchedule(Scenario scenario, Timeline timeline) {
    callOnSchedule(scenario, timeline, log::call, () -> times, log::enterRequest);
  }

  /** The same with calls at two levels. */
  void callAndTraceOnSchedule(Scenario scenario, Timeline timeline) {
    TracedCalls calls = new TracedCalls(log, times, traceTimes);
    callOnSchedule(scenario, timeline, calls::call, calls::times, calls::enterNextRequest);
  }

  private void callOnSchedule(
      Scenario scenario,
      Timeline timeline,
      Runnable call,
      Supplier<CallTimes> timesOfLast,
      Runnable afterwards) {
    Schedule schedule =
        Schedule.of(
            scenario, timeline.loadFromNs(), timeline.measuredToNs() - timeline.loadFromNs());
    long fromNs = timeline.measuredFromNs();
    new ScheduledCalls(
            schedule,
            NanoClock.SYSTEM,
            Timeline::parkUntil,
            call,
            (dueNs, startedNs, endedNs) -> {
              if (dueNs - fromNs >= 0) {
                timesOfLast.get().add(endedNs - fromNs, endedNs - startedNs);
              }
              afterwards.run();
            })
        .run();
  }

  /** Calls back to back; measured are those begun in the measured time. */
  void callUntilTheEnd(Timeline timeline) {
    callUntilTheEnd(timeline, 0);
  }

  /** As {@link #callUntilTheEnd}, but sleeps between two calls. */
  void callOneByOne(Timeline timeline) {
    callUntilTheEnd(timeline, PAUSE_NS);
  }

  private void callUntilTheEnd(Timeline timeline, long pauseNs) {
    Timeline.parkUntil(timeline.loadFromNs());
    long fromNs = timeline.measuredFromNs();
    long beforeNs = NanoClock.SYSTEM.nanoTime();
    while (beforeNs - timeline.measuredToNs() < 0) {
      log.call();
      long afterNs = NanoClock.SYSTEM.nanoTime();
      if (beforeNs - fromNs >= 0) {
        times.add(afterNs - fromNs, afterNs - beforeNs);
      }
      log.enterRequest();
      if (pauseNs > 0) {
        Timeline.parkUntil(afterNs + pauseNs);
      }
      beforeNs = NanoClock.SYSTEM.nanoTime();
    }
  }

  /** So many calls, back to back, unmeasured. */
  void warmUp(int calls) {
    for (int call = 0; call < calls; call++) {
      log.call();
      log.enterRequest();
    }
  }

  /**
   * So many calls, back to back, measured.
   *
   * @param fromNs begin of the measured time
   */
  void callSoOften(int calls, long fromNs) {
    long beforeNs = NanoClock.SYSTEM.nanoTime();
    for (int call = 0; call < calls; call++) {
      log.call();
      long afterNs = NanoClock.SYSTEM.nanoTime();
      times.add(afterNs - fromNs, afterNs - beforeNs);
      log.enterRequest();
      beforeNs = NanoClock.SYSTEM.nanoTime();
    }
  }
}
