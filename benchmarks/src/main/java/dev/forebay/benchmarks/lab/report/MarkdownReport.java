package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.Scenario.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The same in short, as a section of a Markdown file. */
final class MarkdownReport {

  private static final List<Column> SHORT =
      List.of(
          percentile("p50", 50),
          percentile("p99", 99),
          percentile("p99.9", 99.9),
          new Column(
              "longest", "", runs -> withSpread(Cell.marked(runs, Measures::longest, Unit.TIME))),
          trace("TRACE p50", Figure.TRACE_P50_NS),
          trace("TRACE p99", Figure.TRACE_P99_NS),
          trace("TRACE p99.9", Figure.TRACE_P999_NS),
          counting("M events/s to the disk", MarkdownReport::throughput, Unit.EVENTS_PER_SECOND),
          counting("switches/s", Measures::switchesPerSecond, Unit.PER_SECOND),
          counting("CPU ns/event", Measures::cpuPerEvent, Unit.NS),
          counting("CPU, % of a core", Measures::cpuPercent, Unit.PERCENT),
          Columns.BEHIND,
          Columns.TO_DISK,
          counting("B/event, callers", Measures::callerBytesPerEvent, Unit.BYTES),
          counting("B/event, others", Measures::otherBytesPerEvent, Unit.BYTES),
          Columns.HELD_HEAP,
          Columns.HELD_SPOOL,
          Columns.HELD_EVENTS,
          new Column(
              "expired",
              "",
              runs -> Cell.number(runs.sum(Measures.figure(Figure.EXPIRED)::of), Unit.COUNT)),
          new Column("lost", "", runs -> Cell.number(runs.sum(Measures::lost), Unit.COUNT)),
          new Column(
              "unaccounted", "", runs -> Cell.number(runs.sum(Measures::unaccounted), Unit.COUNT)),
          new Column("void", "", runs -> Cell.text(runs.voids())));

  private final StringBuilder out = new StringBuilder();

  private MarkdownReport() {}

  static String of(Results results) {
    MarkdownReport report = new MarkdownReport();
    report.opening(results);
    report.budgets(results.summary());
    for (Scenario scenario : results.summary().scenarios()) {
      report.scenario(results.summary().in(scenario), scenario);
    }
    report.startAndStop(results.summary());
    report.facts(results);
    return report.out.toString();
  }

  private void facts(Results results) {
    line("### How it was run").line("");
    row(List.of("", "")).line("|---|---|");
    RunSection.facts(results).forEach((name, value) -> row(List.of(name, value)));
    line("");
  }

  private void opening(Results results) {
    String begin = results.run().get(Fact.BEGIN).map(text -> ", " + text).orElse("");
    line("## Forebay and its peers" + escape(begin)).line("");
    line(Opening.verdict(results.summary())).line("");
    for (String sentence : results.damaged()) {
      line("Not in this report: " + escape(sentence)).line("");
    }
    line("Medians over the repetitions, least and greatest in brackets. Void runs are in no median;")
        .line("*a latency in italics* is that of an appender with void runs only. *Lost* and")
        .line("*unaccounted* are sums over all runs, void ones too; CPU is that of all threads but")
        .line("the JVM's own.")
        .line("");
  }

  private void budgets(Summary summary) {
    line("### Budgets").line("");
    row(List.of("budget", "limit", "measured", "min–max", "", "best other", "which"));
    line("|---|--:|--:|--:|---|--:|---|");
    for (Budget budget : Budgets.ALL) {
      Optional<Spread> value = budget.value(summary);
      Optional<Rival> rival = Rival.of(budget, summary);
      row(
          List.of(
              budget.what(),
              budget.limitText(),
              BudgetSection.text(value, budget.unit()),
              Cell.text(Cell.spread(value, budget.unit()).spread()).text(),
              budget.verdict(summary).text(),
              rival.map(of -> budget.unit().format(of.value())).orElse(Unit.NOTHING),
              rival.map(Rival::name).orElse(Unit.NOTHING)));
    }
    line("");
  }

  private void scenario(List<PeerRuns> peers, Scenario scenario) {
    line("### " + ScenarioText.title(scenario)).line("");
    line(ScenarioText.load(scenario)).line("");
    table(peers, SHORT);
  }

  private void startAndStop(Summary summary) {
    if (StartStopSection.isFilled(summary)) {
      line("### Start and stop").line("");
      table(summary.everywhere(), StartStopSection.COLUMNS);
    }
  }

  private void table(List<PeerRuns> peers, List<Column> columns) {
    List<Column> filled = Column.filled(columns, peers);
    row(Stream.concat(Stream.of("appender"), filled.stream().map(Column::head)).toList());
    line("|---|" + "--:|".repeat(filled.size()));
    for (PeerRuns runs : peers) {
      List<String> cells = new ArrayList<>();
      cells.add(Legend.name(runs.peer()));
      filled.forEach(column -> cells.add(text(column.cell().apply(runs))));
      row(cells);
    }
    line("");
  }

  private static String text(Cell cell) {
    return cell.doubtful() && !cell.isVoid() ? "*" + cell.text() + "*" : cell.text();
  }

  private static Cell withSpread(Cell cell) {
    return cell.spread().isEmpty()
        ? cell
        : new Cell("%s (%s)".formatted(cell.text(), cell.spread()), "", cell.doubtful());
  }

  private static OptionalDouble throughput(Measurement run) {
    return run.scenario().load() == Load.UNPACED_KEEPING
        ? Measures.eventsPerSecond(run)
        : OptionalDouble.empty();
  }

  private static Column percentile(String head, double percent) {
    return new Column(
        head, "", runs -> withSpread(Cell.marked(runs, Measures.percentile(percent), Unit.TIME)));
  }

  private static Column trace(String head, Figure figure) {
    Column column = Columns.trace(head, figure);
    return new Column(head, "", runs -> withSpread(column.cell().apply(runs)));
  }

  private static Column counting(String head, Measures.Measure measure, Unit unit) {
    return new Column(head, "", runs -> Cell.counting(runs, measure, unit));
  }

  private MarkdownReport row(List<String> cells) {
    return line(
        cells.stream().map(MarkdownReport::escape).collect(Collectors.joining(" | ", "| ", " |")));
  }

  private MarkdownReport line(String text) {
    out.append(text).append('\n');
    return this;
  }

  /** A text that stays one cell and is not taken for HTML. */
  private static String escape(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replaceAll("\\R", "; ");
  }
}
