package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Scenario.BUSY;
import static dev.forebay.benchmarks.lab.Scenario.FROZEN_DISK;
import static dev.forebay.benchmarks.lab.Scenario.IDLE;
import static dev.forebay.benchmarks.lab.Scenario.OVERLOAD;
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

/** What is expected of {@link Peer#FOREBAY}. */
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
    all.add(call("p50", 50, 0.35 * US));
    all.add(call("p99", 99, 2 * US));
    all.add(call("p99.9", 99.9, 15 * US));
    all.add(switches(IDLE, 1));
    all.add(switches(STEADY, 150));
    all.add(switches(BUSY, 500));
    all.add(
        new Budget(
            "CPU of an idle appender",
            "idle: CPU of all threads but the JVM's own, above the floor, of a core",
            Unit.PERCENT,
            Bound.AT_MOST,
            0.3,
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
    all.addAll(trouble());
    return List.copyOf(all);
  }

  private static Budget call(String name, double percent, double limit) {
    return new Budget(
        "log call, " + name,
        "steady: from the histogram of all log calls",
        Unit.TIME,
        Bound.AT_MOST,
        limit,
        in(STEADY, Measures.percentile(percent)),
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
        timesAsFast(scenario, Peer.LOG4J2, Bound.AT_LEAST, 3),
        timesAsFast(scenario, Peer.FILE_UNFLUSHED, Bound.MORE_THAN, 1));
  }

  private static Budget timesAsFast(Scenario scenario, Peer rival, Bound bound, double limit) {
    return new Budget(
        "times the rate of %s, %d producers".formatted(rival.label(), scenario.producers()),
        scenario.id() + ": events a second over those of the same repetition",
        Unit.TIMES,
        bound,
        limit,
        (summary, peer) -> timesAsFast(summary, scenario, peer, rival),
        NOT_COMPARED);
  }

  private static List<Budget> trouble() {
    return List.of(
        new Budget(
            "events lost under overload",
            "overload: offered events without a line, dropped and counted ones too",
            Unit.PERCENT,
            Bound.AT_MOST,
            10,
            in(OVERLOAD, Measures::lostPercent),
            ANY),
        new Budget(
            "longest call while the disk is frozen",
            "frozen-disk: over the longest call of the same run outside the fault",
            Unit.TIMES,
            Bound.AT_MOST,
            2,
            in(FROZEN_DISK, Measures::faultRatio),
            ANY),
        new Budget(
            "events lost while the disk is frozen",
            "frozen-disk: offered events without a line",
            Unit.COUNT,
            Bound.AT_MOST,
            0,
            in(FROZEN_DISK, Measures::lost),
            ANY),
        new Budget(
            "start above RollingFileAppender",
            "all scenarios: time to configure and start the logging system, above that of"
                + " RollingFileAppender",
            Unit.TIME,
            Bound.AT_MOST,
            30 * MS,
            Budgets::startAboveFile,
            EnumSet.of(Peer.FILE)));
  }

  private static Computation in(Scenario scenario, Measures.Measure measure) {
    return (summary, peer) -> summary.find(scenario, peer).flatMap(runs -> runs.spread(measure));
  }

  private static Computation above(Scenario scenario, Peer floor, Measures.Measure measure) {
    return (summary, peer) ->
        summary
            .find(scenario, peer)
            .flatMap(runs -> Columns.above(summary, scenario, floor, runs, measure));
  }

  /** No appender has less than none: below the floor is noise. */
  private static Computation atLeastNone(Computation computation) {
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

  private static List<Measurement> counting(Summary summary, Scenario scenario, Peer peer) {
    return summary.find(scenario, peer).map(PeerRuns::counting).orElse(List.of());
  }
}
