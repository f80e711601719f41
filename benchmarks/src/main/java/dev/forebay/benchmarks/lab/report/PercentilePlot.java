package dev.forebay.benchmarks.lab.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** Latency of all calls by percentile, one line a peer. */
final class PercentilePlot {

  private static final int STEPS = 160;

  private PercentilePlot() {}

  /** Draws the peers that have calls. */
  static void write(Markup page, String title, List<PeerRuns> all) {
    List<PeerRuns> peers = all.stream().filter(runs -> runs.calls().getTotalCount() > 0).toList();
    Frame frame = new Frame(420);
    Axis x = new PercentileAxis(Frame.LEFT, Frame.RIGHT);
    Axis y =
        LogTimeAxis.over(
            frame.bottom(),
            Frame.TOP,
            peers.stream()
                .map(PeerRuns::calls)
                .flatMapToDouble(calls -> DoubleStream.of(ns(calls, 0), ns(calls, 100))));
    page.open("figure");
    Legend.write(page, peers);
    frame.begin(page, title + ": time of a log call by percentile");
    frame.across(page, x, "share of the log calls that took no longer");
    frame.up(page, y);
    List<PeerRuns> lastIsOnTop = new ArrayList<>(peers);
    Collections.reverse(lastIsOnTop);
    lastIsOnTop.forEach(runs -> series(page, runs, x, y));
    page.close().close();
  }

  private static void series(Markup page, PeerRuns runs, Axis x, Axis y) {
    Histogram calls = runs.calls();
    String mark = runs.isVoid() ? " void" : "";
    page.open("g", "class", "series " + PeerStyle.css(runs.peer()));
    page.open("path", "class", "line" + mark, "d", path(calls, x, y));
    page.element("title", Legend.name(runs.peer()) + mark).close();
    page.open(
        "circle",
        "class",
        "dot",
        "r",
        3.0,
        "cx",
        x.at(lastPercent(calls)),
        "cy",
        y.at(ns(calls, 100)));
    page.element(
        "title",
        "%s%s: the longest of %s calls took %s"
            .formatted(
                Legend.name(runs.peer()),
                mark,
                Unit.COUNT.format((double) calls.getTotalCount()),
                Unit.TIME.format(ns(calls, 100))));
    page.close().close();
  }

  private static double ns(Histogram calls, double percent) {
    return (double) calls.getValueAtPercentile(percent);
  }

  /** The line ends where only the longest call is left. */
  private static double lastPercent(Histogram calls) {
    return 100 * (1 - 1.0 / calls.getTotalCount());
  }

  private static String path(Histogram calls, Axis x, Axis y) {
    StringBuilder path = new StringBuilder();
    double last = lastPercent(calls);
    for (int step = 0; step <= STEPS; step++) {
      double percent = PercentileAxis.percentAt((double) step / STEPS);
      if (percent >= last) {
        break;
      }
      path.append(step == 0 ? 'M' : 'L').append(Frame.at(x.at(percent), y.at(ns(calls, percent))));
    }
    return path.append(path.isEmpty() ? 'M' : 'L')
        .append(Frame.at(x.at(last), y.at(ns(calls, 100))))
        .toString();
  }
}
