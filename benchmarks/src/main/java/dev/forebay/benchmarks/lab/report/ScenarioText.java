package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Scenario;
import java.util.Locale;

/** What a scenario is, in words. */
final class ScenarioText {

  private ScenarioText() {}

  static String title(Scenario scenario) {
    return switch (scenario) {
      case STEADY -> "Steady load";
      case BUSY -> "Busy";
      case BURST -> "Bursts";
      case SINGLE_CALLS -> "Single calls";
      case FROZEN_DISK -> "Frozen disk";
      case LONG_FREEZE -> "Frozen disk, 30 s";
      case NOISY_NEIGHBOUR -> "Noisy neighbour";
      case FULL_DISK -> "Full disk";
      case BUSY_PROCESSORS -> "Busy processors";
      case RECORDED -> "Flight recorder";
      case IDLE -> "Idle";
      case THROUGHPUT_2 -> "Throughput, 2 producers";
      case THROUGHPUT_4 -> "Throughput, 4 producers";
      case EARLY_BURST_2 -> "Early burst, 2 producers";
      case EARLY_BURST_4 -> "Early burst, 4 producers";
      case EARLY_BURST_WAIT_2 -> "Early burst, 2 producers that wait";
      case EARLY_BURST_WAIT_4 -> "Early burst, 4 producers that wait";
      case OVERLOAD -> "Overload, 2 producers";
      case OVERLOAD_4 -> "Overload, 4 producers";
      case OVERLOAD_16 -> "Overload, 16 producers";
      case OVERLOAD_64 -> "Overload, 64 producers";
    };
  }

  /** The load, the fault and the times. */
  static String load(Scenario scenario) {
    return "%s%s; %s.".formatted(calls(scenario), fault(scenario), times(scenario));
  }

  private static String times(Scenario scenario) {
    if (!scenario.load().isOfANumber()) {
      return "%d\u00a0s of warm-up, %d\u00a0s measured"
          .formatted(scenario.warmUpSeconds(), scenario.seconds());
    }
    String when =
        scenario.warmUpSeconds() == 0
            ? ""
            : ", not before %d\u00a0s after the start".formatted(scenario.warmUpSeconds());
    return String.format(
        Locale.ROOT,
        "%,d events of warm-up, %,d measured%s",
        scenario.warmUpEvents(),
        scenario.events(),
        when);
  }

  private static String calls(Scenario scenario) {
    int producers = scenario.producers();
    String rate = String.format(Locale.ROOT, "%,d", scenario.eventsPerSecond());
    return switch (scenario.load()) {
      case NONE -> "A started appender and no log call";
      case PACED -> "%d threads, %s events/s each, in ticks of 1 ms".formatted(producers, rate);
      case TRACED ->
          "%d threads, %s requests/s each, in ticks of 1 ms, each of a call at INFO and %d at TRACE"
              .formatted(producers, rate, Scenario.Load.TRACES);
      case BURSTS ->
          "%d threads, every 200 ms as many events as %s/s make, back to back"
              .formatted(producers, rate);
      case SINGLE ->
          "%d threads, each asleep for at least 100 µs before a call".formatted(producers);
      case UNPACED, UNPACED_NUMBER ->
          "%d threads log as fast as they can, appenders as they are set by default"
              .formatted(producers);
      case UNPACED_KEEPING ->
          "%d threads log as fast as they can, appenders set to lose nothing".formatted(producers);
    };
  }

  private static String fault(Scenario scenario) {
    return switch (scenario.fault()) {
      case NONE -> "";
      case FROZEN_DISK -> "; the log disk answers nothing for five seconds";
      case LONG_FREEZE -> "; the log disk answers nothing for thirty seconds";
      case NOISY_NEIGHBOUR, SATURATED_DISK ->
          "; another process writes to the log disk and forces what it wrote";
      case FULL_DISK -> "; the log disk has no room for three seconds";
      case BUSY_PROCESSORS -> "; all calls at TRACE, beside 8 processes that compute all the time";
    };
  }

  /** The fault in a word or two, for a plot. */
  static String shortFault(Scenario scenario) {
    return switch (scenario.fault()) {
      case NONE -> "";
      case FROZEN_DISK, LONG_FREEZE -> "disk frozen";
      case NOISY_NEIGHBOUR, SATURATED_DISK -> "neighbour writes";
      case FULL_DISK -> "disk full";
      case BUSY_PROCESSORS -> "processors busy";
    };
  }

  /** How the percentiles are to be read. */
  static String reading(Scenario scenario) {
    return switch (scenario.load()) {
      case NONE -> "What an appender costs when nothing is logged.";
      case PACED ->
          "The rate does not adapt to the appender. A call is timed from just before it; when one"
              + " lasts longer than a tick, all calls that it holds up are timed from the moment"
              + " they were due, or from its begin if they were due before it, until the schedule"
              + " is caught up with. So a stall is in the time of every call that it delayed.";
      case TRACED ->
          "A call is timed from just before it. The times are those of the calls at INFO; calls at"
              + " TRACE have columns of their own. TieredAppender without a recorder has TRACE"
              + " switched off; peers that have neither write it to the log.";
      case BURSTS ->
          "The calls of a burst follow one another, each timed from just before it. When one lasts"
              + " longer than 200\u00a0ms, the calls that it holds up are timed from the moment"
              + " their burst was due, or from its begin, until the schedule is caught up with.";
      case SINGLE ->
          "A call is timed from just before it. Its thread slept, so its code and data are no longer"
              + " in the caches. What is left without an appender is the floor.";
      case UNPACED, UNPACED_NUMBER, UNPACED_KEEPING ->
          "There is no schedule: a call begins when the one before it returned, so a stall is in"
              + " the time of one call a thread. Compare these latencies with care: an appender"
              + " that blocks slows the load down.";
    };
  }
}
