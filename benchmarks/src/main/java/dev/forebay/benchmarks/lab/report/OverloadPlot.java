package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Peer;
import java.util.List;

/** What became of the events that were offered in all runs, void ones too. */
final class OverloadPlot {

  private OverloadPlot() {}

  /** Draws the peers that keep events. */
  static void write(Markup page, String title, List<PeerRuns> all) {
    List<PeerRuns> peers =
        all.stream()
            .filter(runs -> runs.peer().lines() != Peer.Lines.NONE)
            .filter(runs -> runs.sum(Figure.OFFERED).orElse(0) > 0)
            .toList();
    double most =
        peers.stream().mapToDouble(runs -> runs.sum(Figure.OFFERED).orElse(0)).max().orElse(1);
    BarRows rows =
        new BarRows(peers.size(), most, events -> events == 0 ? "0" : Unit.large(events));
    page.open("figure");
    key(page);
    rows.begin(page, title + ": what became of the events", "events, all runs together");
    peers.forEach(runs -> row(page, rows, runs));
    page.close().close();
  }

  private static void key(Markup page) {
    page.open("div", "class", "legend");
    for (String part : List.of("delivered", "dropped", "unaccounted")) {
      page.open("span").element("i", "", "class", "box " + part);
      page.text("dropped".equals(part) ? "dropped and counted by the appender" : part).close();
    }
    page.close();
  }

  private static void row(Markup page, BarRows rows, PeerRuns runs) {
    double offered = runs.sum(Figure.OFFERED).orElse(0);
    double delivered = Math.min(offered, runs.sum(Figure.LINES).orElse(0));
    double told = Math.min(offered, delivered + runs.sum(Figure.DROPPED).orElse(0));
    double top = rows.row(page, runs);
    rows.bar(page, "delivered", top, 0, delivered, count(delivered) + " delivered");
    rows.bar(page, "dropped", top, delivered, told, count(told - delivered) + " dropped");
    rows.bar(page, "unaccounted", top, told, offered, count(offered - told) + " unaccounted");
    rows.words(
        page,
        top,
        offered,
        "%s offered, %s lost%s"
            .formatted(
                Unit.large(offered),
                Unit.PERCENT.brief(100 * (offered - delivered) / offered),
                runs.isVoid() ? ", void" : ""));
  }

  private static String count(double events) {
    return Unit.COUNT.format(events);
  }
}
