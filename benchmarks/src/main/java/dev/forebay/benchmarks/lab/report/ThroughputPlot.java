package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.Optional;

/** Events a second until the last one is on the disk. */
final class ThroughputPlot {

  private ThroughputPlot() {}

  /** Draws the peers that have such a number. */
  static void write(Markup page, String title, List<PeerRuns> all) {
    List<PeerRuns> peers = all.stream().filter(runs -> rate(runs).isPresent()).toList();
    double most =
        peers.stream()
            .map(ThroughputPlot::rate)
            .mapToDouble(rate -> rate.orElseThrow().max())
            .max()
            .orElse(1);
    BarRows rows = new BarRows(peers.size(), most, rate -> rate == 0 ? "0" : Unit.large(rate));
    page.open("figure");
    rows.begin(page, title + ": events a second", "events a second, until the last is on the disk");
    for (PeerRuns runs : peers) {
      Spread rate = rate(runs).orElseThrow();
      double top = rows.row(page, runs);
      page.open("g", "class", PeerStyle.css(runs.peer()));
      rows.bar(page, "bar", top, 0, rate.median(), Unit.EVENTS_PER_SECOND.format(rate.median()));
      if (runs.isVoid()) {
        rows.hatch(page, top, rate.median());
      }
      page.close();
      rows.whisker(page, top, rate);
      rows.words(
          page,
          top,
          rate.max(),
          runs.isVoid() ? why(runs) : Unit.large(rate.median()).concat("/s"));
    }
    page.close().close();
  }

  private static Optional<Spread> rate(PeerRuns runs) {
    return runs.shownSpread(Measures::eventsPerSecond);
  }

  private static String why(PeerRuns runs) {
    Optional<Spread> lost = runs.shownSpread(Measures::lostPercent);
    return lost.isPresent() && lost.get().median() > 0
        ? "void: " + Unit.PERCENT.brief(lost.get().median()) + " of the events lost"
        : "void";
  }
}
