package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario.Load;
import dev.forebay.benchmarks.lab.report.Measures.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The columns of the tables of a scenario; those that say something of no peer are left out. */
final class Columns {

  /** How long log calls took, and what was lost. */
  static final List<Column> CALLS =
      List.of(
          percentile("p50", 50),
          percentile("p99", 99),
          percentile("p99.9", 99.9),
          percentile("p99.99", 99.99),
          percentile("longest", 100),
          trace("TRACE p50", Figure.TRACE_P50_NS),
          trace("TRACE p99", Figure.TRACE_P99_NS),
          trace("TRACE p99.9", Figure.TRACE_P999_NS),
          Column.counting("M events/s to the disk", Columns::rate, Unit.EVENTS_PER_SECOND),
          new Column("lost", Losses::text),
          new Column("void", PeerRuns::voids));

  /** What they cost, and what became of the events; sums are over all runs, void ones too. */
  static final List<Column> COST =
      List.of(
          Column.counting("switches/s", Measures::switchesPerSecond, Unit.PER_SECOND),
          Column.counting("CPU ns/event, callers", Measures::callerCpuPerEvent, Unit.NS),
          Column.counting("CPU ns/event, others", Measures::otherCpuPerEvent, Unit.NS),
          Column.counting("CPU, % of a core", Measures::cpuPercent, Unit.PERCENT),
          Column.counting("behind the calls, %", Measures::tracedCpuPercent, Unit.PERCENT),
          Column.counting("to the disk, B/TRACE", Measures::diskBytesPerTrace, Unit.BYTES),
          Column.counting("B/event, callers", Measures::callerBytesPerEvent, Unit.BYTES),
          Column.counting("B/event, others", Measures::otherBytesPerEvent, Unit.BYTES),
          figure("in the ring, p50", Figure.RESIDENCE_P50_NS, Unit.TIME),
          figure("in the ring, p99", Figure.RESIDENCE_P99_NS, Unit.TIME),
          held("heap held, MB", Figure.HELD_HEAP_BYTES),
          held("tmpfs held, MB", Figure.HELD_SPOOL_BYTES),
          figure("held", Figure.HELD, Unit.COUNT),
          Column.sum("offered", Measures.figure(Figure.OFFERED)),
          Column.sum("dropped", Measures.ofKept(Figure.DROPPED)),
          Column.sum("expired", Measures.figure(Figure.EXPIRED)),
          Column.sum("unaccounted", Measures::unaccounted));

  static final List<Column> START_STOP =
      List.of(
          Column.marked("start", Measures.figure(Figure.START_NS), Unit.TIME),
          Column.marked("stop", Measures.figure(Figure.STOP_NS), Unit.TIME));

  private Columns() {}

  /** Those that say something of one peer at least. */
  static List<Column> filled(List<Column> columns, List<PeerRuns> peers) {
    return columns.stream()
        .filter(
            column ->
                peers.stream()
                    .map(column.cell())
                    .anyMatch(text -> !text.isEmpty() && !text.equals(Unit.NOTHING)))
        .toList();
  }

  static Table table(String caption, List<PeerRuns> peers, List<Column> columns) {
    List<Column> filled = filled(columns, peers);
    List<List<String>> rows = new ArrayList<>();
    for (PeerRuns runs : peers) {
      rows.add(
          Stream.concat(
                  Stream.of(name(runs.peer())),
                  filled.stream().map(column -> column.cell().apply(runs)))
              .toList());
    }
    return new Table(
        caption,
        Stream.concat(Stream.of("appender"), filled.stream().map(Column::head)).toList(),
        rows);
  }

  /** Name for people; the floor says what it is. */
  static String name(Peer peer) {
    return peer == Peer.NONE ? "no appender (floor)" : peer.label();
  }

  private static OptionalDouble rate(Measurement run) {
    return run.scenario().load() == Load.UNPACED_KEEPING
        ? Measures.eventsPerSecond(run)
        : OptionalDouble.empty();
  }

  private static Column percentile(String head, double percent) {
    return Column.marked(head, Measures.percentile(percent), Unit.TIME);
  }

  private static Column trace(String head, Figure figure) {
    return Column.marked(head, Measures.figure(figure), Unit.TIME);
  }

  private static Column figure(String head, Figure figure, Unit unit) {
    Measure measure = Measures.figure(figure);
    return Column.counting(head, measure, unit);
  }

  /** Read while the disk is frozen, so it says as much of a void run. */
  private static Column held(String head, Figure figure) {
    return Column.marked(head, Measures.figure(figure), Unit.MEGABYTES);
  }
}
