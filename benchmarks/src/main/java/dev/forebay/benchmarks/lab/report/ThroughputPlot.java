package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.Optional;

/** Events a second until the last one is on the disk. */
final class ThroughputPlot {

  private ThroughputPlot() {}

  /** Draws the peers that have such a number. */
  static void write(Markup page, List<PeerRuns> all) {
    List<PeerRuns> peers = all.stream().filter(runs -> rate(runs).isPresent()).toList();
    double most =
        peers.stream()
            .map(ThroughputPlot::rate)
            .mapToDouble(rate -> rate.orElseThrow().max())
            .max()
            .orElse(1);
    BarRows rows = new BarRows(page, most, rate -> rate == 0 ? "0" : Unit.large(rate));
    page.open("figure");
    rows.begin();
    for (PeerRuns runs : peers) {
      Spread rate = rate(runs).orElseThrow();
      rows.row(runs);
      rows.bar(
          runs.isVoid() ? "bar hatched" : "bar",
          0,
          rate.median(),
          Unit.EVENTS_PER_SECOND.format(rate.median()));
      rows.whisker(rate);
      rows.endRow(runs.isVoid() ? why(runs) : Unit.large(rate.median()).concat("/s"));
    }
    rows.end("events a second");
    page.close();
  }

  private static Optional<Spread> rate(PeerRuns runs) {
    return runs.shownSpread(Measures::eventsPerSecond);
  }

  private static String why(PeerRuns runs) {
    return "void" + Losses.brief(runs).map(lost -> ": lost " + lost).orElse("");
  }
}
