package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Scenario;
import java.util.concurrent.TimeUnit;

/**
 * When the events of one producer are due: groups of equal size, at equal distances.
 *
 * @param startNs when the first group is due
 * @param tickNs a producer looks for due events at the start and so often after it
 * @param groupNs distance of the groups
 * @param groupEvents events of a group
 * @param events how many in all
 */
record Schedule(long startNs, long tickNs, long groupNs, long groupEvents, long events) {

  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** That of a paced scenario, or of one with bursts. */
  static Schedule of(Scenario scenario, long startNs, long lengthNs) {
    return switch (scenario.load()) {
      case BURSTS -> bursts(startNs, scenario.eventsPerSecond(), lengthNs);
      case TRACED -> traced(startNs, scenario.eventsPerSecond(), lengthNs);
      default -> paced(startNs, scenario.eventsPerSecond(), lengthNs);
    };
  }

  static Schedule paced(long startNs, long perSecond, long lengthNs) {
    long distanceNs = SECOND_NS / perSecond;
    return new Schedule(startNs, TICK_NS, distanceNs, 1, lengthNs / distanceNs);
  }

  /** As paced, with the events at TRACE due together with the one before them. */
  static Schedule traced(long startNs, long perSecond, long lengthNs) {
    Schedule paced = paced(startNs, perSecond, lengthNs);
    int group = 1 + Scenario.Load.TRACES;
    return new Schedule(startNs, TICK_NS, paced.groupNs, group, paced.events * group);
  }

  static Schedule bursts(long startNs, long perSecond, long lengthNs) {
    long perBurst = perSecond * BURST_NS / SECOND_NS;
    return new Schedule(startNs, BURST_NS, BURST_NS, perBurst, lengthNs / BURST_NS * perBurst);
  }

  /** When an event is due. */
  long dueNs(long event) {
    return startNs + event / groupEvents * groupNs;
  }

  /** The first tick at which an event is due. */
  long tickNsOf(long event) {
    long sinceStartNs = dueNs(event) - startNs;
    return startNs + (sinceStartNs + tickNs - 1) / tickNs * tickNs;
  }
}
