package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Scenario.BUSY;
import static dev.forebay.benchmarks.lab.Scenario.BUSY_PROCESSORS;
import static dev.forebay.benchmarks.lab.Scenario.EARLY_BURST_2;
import static dev.forebay.benchmarks.lab.Scenario.EARLY_BURST_4;
import static dev.forebay.benchmarks.lab.Scenario.EARLY_BURST_WAIT_2;
import static dev.forebay.benchmarks.lab.Scenario.EARLY_BURST_WAIT_4;
import static dev.forebay.benchmarks.lab.Scenario.FROZEN_DISK;
import static dev.forebay.benchmarks.lab.Scenario.IDLE;
import static dev.forebay.benchmarks.lab.Scenario.LONG_FREEZE;
import static dev.forebay.benchmarks.lab.Scenario.OVERLOAD;
import static dev.forebay.benchmarks.lab.Scenario.OVERLOAD_16;
import static dev.forebay.benchmarks.lab.Scenario.OVERLOAD_4;
import static dev.forebay.benchmarks.lab.Scenario.OVERLOAD_64;
import static dev.forebay.benchmarks.lab.Scenario.SINGLE_CALLS;
import static dev.forebay.benchmarks.lab.Scenario.STEADY;
import static dev.forebay.benchmarks.lab.Scenario.THROUGHPUT_2;
import static dev.forebay.benchmarks.lab.Scenario.THROUGHPUT_4;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.report.Budget.Bound;
import dev.forebay.benchmarks.lab.report.Budget.Computation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What is expected of {@link Peer#FOREBAY}, and of its flight recorder. */
final class Budgets {

  private static final double US = 1e3;
  private static final double MS = 1e6;
  private static final Set<Peer> ANY = EnumSet.noneOf(Peer.class);
  private static final Set<Peer> NOT_COMPARED = EnumSet.allOf(Peer.class);

  /** All of them, in the order in which they are shown. */
  static final List<Budget> ALL = all();

  private Budgets() {}

  private static List<Budget> all() {
    List<Budget> all = new ArrayList<>();
    all.add(call("log call", STEADY, "p50", 50, 0.2 * US));
    all.add(call("log call", STEADY, "p99", 99, 1.4 * US));
    all.add(call("log call", STEADY, "p99.9", 99.9, 8 * US));
    all.add(call("single call", SINGLE_CALLS, "p50", 50, 0.5 * US));
    all.add(call("single call", SINGLE_CALLS, "p99.9", 99.9, 10 * US));
    all.add(switches(IDLE, 0));
    all.add(switches(STEADY, 150));
    all.add(switches(BUSY, 500));
    all.add(
        new Budget(
            "CPU of an idle appender",
            "idle: CPU of all threads but the JVM's own, above the floor, of a core",
            Unit.PERCENT,
            Bound.AT_MOST,
            0,
            atLeastNone(above(IDLE, Peer.NONE, Measures::cpuPercent)),
            ANY));
    all.add(
        new Budget(
            "time in the heap ring, p99",
            "steady: time from the call to the encoding of an event, of a sample",
            Unit.TIME,
            Bound.AT_MOST,
            15 * MS,
            in(STEADY, Measures.figure(Figure.RESIDENCE_P99_NS)),
            ANY));
    all.addAll(allocation());
    all.addAll(throughput(THROUGHPUT_2, 1.6e6));
    all.addAll(throughput(THROUGHPUT_4, 1.2e6));
    all.add(timesAsFast(EARLY_BURST_WAIT_2, Peer.FILE_UNFLUSHED, 1));
    all.add(timesAsFast(EARLY_BURST_WAIT_4, Peer.FILE_UNFLUSHED, 1));
    for (Scenario scenario :
        List.of(EARLY_BURST_2, EARLY_BURST_4, OVERLOAD, OVERLOAD_4, OVERLOAD_16, OVERLOAD_64)) {
      all.add(lost(scenario));
    }
    all.add(lost(BUSY_PROCESSORS));
    all.add(lost(FROZEN_DISK));
    all.add(lost(LONG_FREEZE));
    all.addAll(trouble());
    all.addAll(RecorderBudgets.ALL);
    return List.copyOf(all);
  }

  private static Budget call(
      String what, Scenario scenario, String name, double percent, double limit) {
    return new Budget(
        what + ", " + name,
        scenario.id() + ": from the histogram of all log calls",
        Unit.TIME,
        Bound.AT_MOST,
        limit,
        in(scenario, Measures.percentile(percent)),
        ANY);
  }

  private static Budget switches(Scenario scenario, double limit) {
    return new Budget(
        "voluntary context switches, " + scenario.id(),
        scenario.id() + ": switches a second of all threads but the JVM's own, above the floor",
        Unit.PER_SECOND,
        Bound.AT_MOST,
        limit,
        atLeastNone(above(scenario, Peer.NONE, Measures::switchesPerSecond)),
        ANY);
  }

  /** Neither of the two is the appender's own share, so neither is judged. */
  private static List<Budget> allocation() {
    return List.of(
        new Budget(
            "allocation by the caller, above the floor",
            "steady: an event, above that with no appender, which does not format the message: the"
                + " formatted message is in the difference",
            Unit.BYTES,
            Bound.SHOWN,
            0,
            above(STEADY, Peer.NONE, Measures::callerBytesPerEvent),
            ANY),
        new Budget(
            "allocation by the caller, above RollingFileAppender",
            "steady: an event, above that of RollingFileAppender, which formats and encodes in the"
                + " caller",
            Unit.BYTES,
            Bound.SHOWN,
            0,
            above(STEADY, Peer.FILE, Measures::callerBytesPerEvent),
            EnumSet.of(Peer.FILE)));
  }

  private static List<Budget> throughput(Scenario scenario, double limit) {
    return List.of(
        new Budget(
            "events to the disk, " + scenario.producers() + " producers",
            scenario.id() + ": events a second until the last is on the disk",
            Unit.EVENTS_PER_SECOND,
            Bound.AT_LEAST,
            limit,
            in(scenario, Measures::eventsPerSecond),
            ANY),
        timesAsFast(scenario, Peer.LOG4J2, 1.2),
        timesAsFast(scenario, Peer.FILE_UNFLUSHED, 1.2));
  }

  private static Budget timesAsFast(Scenario scenario, Peer rival, double limit) {
    return new Budget(
        "times the rate of %s, %s".formatted(rival.label(), scenario.id()),
        scenario.id() + ": events a second over those of the same repetition",
        Unit.TIMES,
        Bound.AT_LEAST,
        limit,
        (summary, peer) -> timesAsFast(summary, scenario, peer, rival),
        NOT_COMPARED);
  }

  private static Budget lost(Scenario scenario) {
    return new Budget(
        "events lost, " + scenario.id(),
        scenario.id() + ": offered events without a line, dropped and counted ones too",
        Unit.COUNT,
        Bound.AT_MOST,
        0,
        in(scenario, Measures::lost),
        ANY);
  }

  private static List<Budget> trouble() {
    return List.of(
        new Budget(
            "longest call while the disk is frozen",
            "frozen-disk: over the longest call of the same run outside the fault",
            Unit.TIMES,
            Bound.AT_MOST,
            2,
            in(FROZEN_DISK, Measures::faultRatio),
            ANY),
        new Budget(
            "start above RollingFileAppender",
            "all scenarios: time to configure and start the logging system, above that of"
                + " RollingFileAppender",
            Unit.TIME,
            Bound.AT_MOST,
            15 * MS,
            Budgets::startAboveFile,
            EnumSet.of(Peer.FILE)));
  }

  static Computation in(Scenario scenario, Measures.Measure measure) {
    return (summary, peer) -> summary.find(scenario, peer).flatMap(runs -> runs.spread(measure));
  }

  static Computation above(Scenario scenario, Peer floor, Measures.Measure measure) {
    return (summary, peer) ->
        summary
            .find(scenario, peer)
            .flatMap(runs -> runs.spread(measure))
            .flatMap(
                of ->
                    summary
                        .find(scenario, floor)
                        .flatMap(runs -> runs.spread(measure))
                        .map(under -> of.map(value -> value - under.median())));
  }

  /** No appender has less than none: below the floor is noise. */
  static Computation atLeastNone(Computation computation) {
    return (summary, peer) -> computation.of(summary, peer).map(Spread::atLeastNone);
  }

  private static Optional<Spread> startAboveFile(Summary summary, Peer peer) {
    Measures.Measure start = Measures.figure(Figure.START_NS);
    Optional<Spread> file = summary.everywhere(Peer.FILE).flatMap(runs -> runs.spread(start));
    return summary
        .everywhere(peer)
        .flatMap(runs -> runs.spread(start))
        .flatMap(of -> file.map(base -> of.map(value -> value - base.median())));
  }

  private static Optional<Spread> timesAsFast(
      Summary summary, Scenario scenario, Peer peer, Peer rival) {
    List<Measurement> ours = counting(summary, scenario, peer);
    List<Measurement> theirs = counting(summary, scenario, rival);
    return Spread.of(
        ours.stream()
            .flatMapToDouble(
                run ->
                    theirs.stream()
                        .filter(other -> other.repetition() == run.repetition())
                        .mapToDouble(other -> rate(run) / rate(other))));
  }

  /** Not a number when it was not measured; such a ratio does not count. */
  private static double rate(Measurement run) {
    OptionalDouble rate = Measures.eventsPerSecond(run);
    return rate.orElse(Double.NaN);
  }

  static List<Measurement> counting(Summary summary, Scenario scenario, Peer peer) {
    return summary.find(scenario, peer).map(PeerRuns::counting).orElse(List.of());
  }
}
