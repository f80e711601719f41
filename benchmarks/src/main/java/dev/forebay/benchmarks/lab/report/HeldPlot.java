package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import java.util.List;
import java.util.Optional;

/** The memory that holds events while the disk is frozen: heap, which a kill takes, and tmpfs. */
final class HeldPlot {

  private static final String HEAP = "held-heap";
  private static final String SPOOL = "held-spool";

  private HeldPlot() {}

  /** Draws the peers of which it is known. */
  static void write(Markup page, List<PeerRuns> all) {
    List<PeerRuns> peers = all.stream().filter(runs -> heap(runs).isPresent()).toList();
    if (peers.isEmpty()) {
      return;
    }
    double most =
        peers.stream()
            .mapToDouble(runs -> median(heap(runs)) + median(spool(runs)))
            .max()
            .orElse(1);
    BarRows rows = new BarRows(page, most, bytes -> bytes == 0 ? "0" : Unit.MEGABYTES.brief(bytes));
    page.open("figure");
    page.open("div", "class", "legend");
    key(page, HEAP, "heap: lost if the process is killed");
    key(page, SPOOL, "tmpfs: stays if the process is killed");
    page.close();
    rows.begin();
    for (PeerRuns runs : peers) {
      double heap = median(heap(runs));
      double spool = median(spool(runs));
      rows.row(runs);
      rows.bar(HEAP, 0, heap, Unit.MEGABYTES.format(heap) + " of heap");
      rows.bar(SPOOL, heap, heap + spool, Unit.MEGABYTES.format(spool) + " of tmpfs");
      rows.endRow(
          "heap %s, tmpfs %s".formatted(Unit.MEGABYTES.format(heap), Unit.MEGABYTES.format(spool)));
    }
    rows.end("memory held");
    page.close();
  }

  private static void key(Markup page, String css, String text) {
    page.open("span").element("i", "", "class", "box " + css).text(text).close();
  }

  private static Optional<Spread> heap(PeerRuns runs) {
    return runs.shownSpread(Measures.figure(Figure.HELD_HEAP_BYTES));
  }

  private static Optional<Spread> spool(PeerRuns runs) {
    return runs.shownSpread(Measures.figure(Figure.HELD_SPOOL_BYTES));
  }

  private static double median(Optional<Spread> value) {
    return value.map(Spread::median).orElse(0.0);
  }
}
