package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.List;
import java.util.Optional;

/** The columns of the tables of a scenario, in groups: one table each. */
final class Columns {

  private Columns() {}

  /** How long log calls took. */
  static List<Column> latency() {
    return List.of(
        new Column(
            "calls",
            "log calls in the measured time, median of the repetitions",
            runs ->
                Cell.text(
                    runs.shownSpread(Measures::calls)
                        .map(of -> Unit.COUNT.bare(of.median()))
                        .orElse(""))),
        percentile("p50", 50),
        percentile("p99", 99),
        percentile("p99.9", 99.9),
        percentile("p99.99", 99.99),
        percentile("longest", 100));
  }

  /** What it cost. */
  static List<Column> cost(Summary summary, Scenario scenario) {
    return List.of(
        counting("events/s", "until the last is on the disk", Measures::eventsPerSecond),
        counting(
            "switches/s",
            "voluntary context switches a second of all threads but the JVM's own",
            Measures::switchesPerSecond,
            Unit.PER_SECOND),
        new Column(
            "above floor",
            "the same without those of the run with no appender",
            runs -> aboveFloor(runs, summary, scenario, Measures::switchesPerSecond)),
        counting(
            "CPU callers, ns",
            "processor time of the threads that log, nanoseconds an event",
            Measures::callerCpuPerEvent,
            Unit.NS),
        counting(
            "CPU others, ns",
            "processor time of all other threads but the JVM's own, nanoseconds an event",
            Measures::otherCpuPerEvent,
            Unit.NS),
        counting(
            "CPU, % of a core",
            "processor time of all threads but the JVM's own", Measures::cpuPercent, Unit.PERCENT),
        counting(
            "B callers",
            "heap allocated by the threads that log, bytes an event",
            Measures::callerBytesPerEvent,
            Unit.BYTES),
        counting(
            "B others",
            "heap allocated by all other threads, bytes an event",
            Measures::otherBytesPerEvent,
            Unit.BYTES),
        counting("GCs", "collections", Measures.figure(Figure.GC_COUNT), Unit.COUNT),
        counting("GC time", "time in collections", Measures.figure(Figure.GC_NS), Unit.TIME),
        counting(
            "in heap p50",
            "time from the call to the encoding of an event, median of a sample",
            Measures.figure(Figure.RESIDENCE_P50_NS),
            Unit.TIME),
        counting(
            "in heap p99",
            "the same, 99th percentile",
            Measures.figure(Figure.RESIDENCE_P99_NS),
            Unit.TIME));
  }

  /** What became of the events: sums over all runs, void ones too. */
  static List<Column> account() {
    return List.of(
        new Column("runs", "repetitions", runs -> Cell.text(Integer.toString(runs.runs().size()))),
        sum("offered", "log calls of all runs, warm-up included", Measures.figure(Figure.OFFERED)),
        sum("lines", "lines found in the files", Measures.ofKept(Figure.LINES)),
        sum("dropped", "events that the appender says it dropped", Measures.ofKept(Figure.DROPPED)),
        sum("unaccounted", "offered, neither found nor said to be dropped", Measures::unaccounted),
        new Column(
            "void", "runs that count for nothing, and why", runs -> Cell.text(runs.voids())));
  }

  /** A number without the median of the peer that keeps nothing. */
  static Optional<Spread> above(
      Summary summary, Scenario scenario, Peer floor, PeerRuns runs, Measures.Measure measure) {
    Optional<Spread> base = summary.find(scenario, floor).flatMap(of -> of.spread(measure));
    return runs.spread(measure)
        .flatMap(of -> base.map(under -> of.map(value -> value - under.median())));
  }

  private static Cell aboveFloor(
      PeerRuns runs, Summary summary, Scenario scenario, Measures.Measure measure) {
    return runs.peer() == Peer.NONE
        ? Cell.NOTHING
        : Cell.spread(above(summary, scenario, Peer.NONE, runs, measure), Unit.PER_SECOND);
  }

  private static Column percentile(String head, double percent) {
    String meaning =
        percent < 100
            ? "%s %% of the calls took no longer".formatted(head.substring(1))
            : "the longest call";
    return new Column(
        head, meaning, runs -> Cell.marked(runs, Measures.percentile(percent), Unit.TIME));
  }

  private static Column counting(String head, String meaning, Measures.Measure measure) {
    return counting(head, meaning, measure, Unit.EVENTS_PER_SECOND);
  }

  private static Column counting(String head, String meaning, Measures.Measure measure, Unit unit) {
    return new Column(head, meaning, runs -> Cell.counting(runs, measure, unit));
  }

  private static Column sum(String head, String meaning, Measures.Measure measure) {
    return new Column(head, meaning, runs -> Cell.number(runs.sum(measure::of), Unit.COUNT));
  }
}
