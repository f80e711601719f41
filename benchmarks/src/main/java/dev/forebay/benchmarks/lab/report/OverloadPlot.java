package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Peer;
import java.util.List;

/** What became of the events that were offered in all runs, void ones too. */
final class OverloadPlot {

  private OverloadPlot() {}

  /** Draws the peers that keep events. */
  static void write(Markup page, List<PeerRuns> all) {
    List<PeerRuns> peers =
        all.stream()
            .filter(runs -> runs.peer().lines() != Peer.Lines.NONE)
            .filter(runs -> runs.sum(Figure.OFFERED).orElse(0) > 0)
            .toList();
    double most =
        peers.stream().mapToDouble(runs -> runs.sum(Figure.OFFERED).orElse(0)).max().orElse(1);
    BarRows rows = new BarRows(page, most, events -> events == 0 ? "0" : Unit.large(events));
    page.open("figure");
    key(page);
    rows.begin();
    peers.forEach(runs -> row(rows, runs));
    rows.end("events, all runs");
    page.close();
  }

  private static void key(Markup page) {
    page.open("div", "class", "legend");
    for (String part : List.of("delivered", "dropped", "unaccounted")) {
      page.open("span").element("i", "", "class", "box " + part);
      page.text("dropped".equals(part) ? "dropped and counted by the appender" : part).close();
    }
    page.close();
  }

  private static void row(BarRows rows, PeerRuns runs) {
    double offered = runs.sum(Figure.OFFERED).orElse(0);
    double delivered = Math.min(offered, runs.sum(Figure.LINES).orElse(0));
    double told = Math.min(offered, delivered + runs.sum(Figure.DROPPED).orElse(0));
    rows.row(runs);
    rows.bar("delivered", 0, delivered, count(delivered) + " delivered");
    rows.bar("dropped", delivered, told, count(told - delivered) + " dropped");
    rows.bar("unaccounted", told, offered, count(offered - told) + " unaccounted");
    rows.endRow(
        "%s offered, lost %s".formatted(Unit.large(offered), Losses.brief(runs).orElse("none")));
  }

  private static String count(double events) {
    return Unit.COUNT.format(events);
  }
}
