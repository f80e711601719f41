package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.Scenario.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The columns of the tables of a scenario, in groups: one table each. */
final class Columns {

  /** Heap that holds events while the disk is frozen. */
  static final Column HELD_HEAP =
      held("heap held, MB", "heap in use more than before", Figure.HELD_HEAP_BYTES);

  /** Memory outside of the heap that does. */
  static final Column HELD_SPOOL =
      held("tmpfs held, MB", "files of the spool", Figure.HELD_SPOOL_BYTES);

  /** What a recorder costs behind the calls. */
  static final Column BEHIND =
      counting(
          "CPU behind the calls, % of a core",
          "processor time of all threads but the JVM's own and those that log",
          Measures::tracedCpuPercent,
          Unit.PERCENT);

  /** What of it goes to the disk. */
  static final Column TO_DISK =
      counting(
          "to the disk, B/event at TRACE",
          "bytes that the process wrote to disks, all levels together",
          Measures::diskBytesPerTrace,
          Unit.BYTES);

  /** What a recorder holds. */
  static final Column HELD_EVENTS =
      counting(
          "held",
          "events in the recorder at the end of the measured time",
          Measures.figure(Figure.HELD),
          Unit.COUNT);

  private Columns() {}

  /** Calls at TRACE, where these are timed by themselves. */
  static Column trace(String head, Figure figure) {
    return new Column(
        head,
        "calls at TRACE alone",
        runs -> Cell.marked(runs, Measures.figure(figure), Unit.TIME));
  }

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
        percentile("longest", 100),
        trace("TRACE, p50", Figure.TRACE_P50_NS),
        trace("TRACE, p99", Figure.TRACE_P99_NS),
        trace("TRACE, p99.9", Figure.TRACE_P999_NS),
        new Column(
            "lost",
            "events without a line in the log, of all runs; counted: the appender reports them",
            Losses::cell));
  }

  /** Processor time and context switches. */
  static List<Column> processor(Summary summary, Scenario scenario) {
    List<Column> columns = new ArrayList<>();
    if (scenario.load() == Load.UNPACED_KEEPING) {
      columns.add(
          counting(
              "M events/s",
              "log calls a second, until the last is on the disk",
              Measures::eventsPerSecond,
              Unit.EVENTS_PER_SECOND));
    }
    columns.add(
        counting(
            "switches/s",
            "voluntary context switches a second of all threads but the JVM's own",
            Measures::switchesPerSecond,
            Unit.PER_SECOND));
    columns.add(
        new Column(
            "switches/s above floor",
            "the same without those of the run with no appender",
            runs -> aboveFloor(runs, summary, scenario)));
    columns.add(
        counting(
            "CPU of callers, ns/event",
            "processor time of the threads that log",
            Measures::callerCpuPerEvent,
            Unit.NS));
    columns.add(
        counting(
            "CPU of others, ns/event",
            "processor time of all other threads but the JVM's own",
            Measures::otherCpuPerEvent,
            Unit.NS));
    columns.add(
        counting(
            "CPU of all, % of a core",
            "processor time of all threads but the JVM's own", Measures::cpuPercent, Unit.PERCENT));
    columns.add(BEHIND);
    columns.add(TO_DISK);
    return columns;
  }

  /** Allocation, collections, and how long events stay in the heap. */
  static List<Column> memory() {
    return List.of(
        counting(
            "allocated by callers, B/event",
            "heap allocated by the threads that log",
            Measures::callerBytesPerEvent,
            Unit.BYTES),
        counting(
            "allocated by others, B/event",
            "heap allocated by all other threads",
            Measures::otherBytesPerEvent,
            Unit.BYTES),
        counting("GCs", "collections", Measures.figure(Figure.GC_COUNT), Unit.COUNT),
        counting("GC time", "time in collections", Measures.figure(Figure.GC_NS), Unit.TIME),
        counting(
            "time in heap, p50",
            "from the call to the encoding of an event, of a sample",
            Measures.figure(Figure.RESIDENCE_P50_NS),
            Unit.TIME),
        counting(
            "time in heap, p99",
            "from the call to the encoding of an event, of a sample",
            Measures.figure(Figure.RESIDENCE_P99_NS),
            Unit.TIME),
        HELD_HEAP,
        HELD_SPOOL);
  }

  /** What became of the events: sums over all runs, void ones too. */
  static List<Column> account() {
    return List.of(
        new Column("runs", "repetitions", runs -> Cell.text(Integer.toString(runs.runs().size()))),
        sum("offered", "log calls of all runs, warm-up included", Measures.figure(Figure.OFFERED)),
        sum("lines", "lines found in the files", Measures.ofKept(Figure.LINES)),
        sum("dropped", "events that the appender says it dropped", Measures.ofKept(Figure.DROPPED)),
        sum("expired", "events recorded and given up", Measures.figure(Figure.EXPIRED)),
        HELD_EVENTS,
        sum(
            "unaccounted",
            "offered, neither found nor said to be dropped or expired",
            Measures::unaccounted),
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

  private static Cell aboveFloor(PeerRuns runs, Summary summary, Scenario scenario) {
    Measures.Measure measure = Measures::switchesPerSecond;
    if (runs.peer() == Peer.NONE) {
      return Cell.NOTHING;
    }
    Cell all = Cell.counting(runs, measure, Unit.PER_SECOND);
    return all.isVoid()
        ? all
        : Cell.spread(
            above(summary, scenario, Peer.NONE, runs, measure).map(Spread::atLeastNone),
            Unit.PER_SECOND);
  }

  private static Column percentile(String head, double percent) {
    String meaning =
        percent < 100
            ? "%s %% of the calls took no longer".formatted(head.substring(1))
            : "the longest call";
    return new Column(
        head, meaning, runs -> Cell.marked(runs, Measures.percentile(percent), Unit.TIME));
  }

  private static Column counting(String head, String meaning, Measures.Measure measure, Unit unit) {
    return new Column(head, meaning, runs -> Cell.counting(runs, measure, unit));
  }

  /** Read while the disk is frozen, so it says as much of a void run. */
  private static Column held(String head, String meaning, Figure figure) {
    return new Column(
        head,
        meaning + ", while the disk is frozen",
        runs -> Cell.marked(runs, Measures.figure(figure), Unit.MEGABYTES));
  }

  private static Column sum(String head, String meaning, Measures.Measure measure) {
    return new Column(head, meaning, runs -> Cell.number(runs.sum(measure::of), Unit.COUNT));
  }
}
