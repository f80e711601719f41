package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import java.util.List;

/** Start and stop of each peer, over all scenarios. */
final class StartStopSection {

  static final List<Column> COLUMNS =
      List.of(
          new Column(
              "start",
              "time to configure and start the logging system",
              runs -> Cell.marked(runs, Measures.figure(Figure.START_NS), Unit.TIME)),
          new Column(
              "stop",
              "time to stop it",
              runs -> Cell.marked(runs, Measures.figure(Figure.STOP_NS), Unit.TIME)),
          new Column(
              "runs",
              "runs that count",
              runs -> Cell.text(Unit.COUNT.bare(runs.counting().size()))));

  private StartStopSection() {}

  /** Whether there is something to show. */
  static boolean isFilled(Summary summary) {
    return Column.filled(COLUMNS.subList(0, 2), summary.everywhere()).size() > 0;
  }

  static void write(Markup page, Summary summary) {
    page.element("h2", "Start and stop", "id", "start-stop");
    page.element(
        "p",
        "Medians over all runs of all scenarios, with the least and the greatest. The stop holds"
            + " what an appender still had to write then.",
        "class",
        "how");
    PeerTable.write(page, "Start and stop", summary.everywhere(), COLUMNS);
  }
}
