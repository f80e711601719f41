package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** Latency of all calls by percentile, one line a peer. */
final class PercentilePlot {

  private static final int STEPS = 160;

  private PercentilePlot() {}

  /** Draws the peers that have calls. */
  static void write(Markup page, Scenario scenario, List<PeerRuns> all) {
    List<PeerRuns> peers = all.stream().filter(runs -> runs.calls().getTotalCount() > 0).toList();
    Axis x = new PercentileAxis(0, Frame.SIDE);
    Axis y =
        LogTimeAxis.over(
            Frame.SIDE,
            0,
            peers.stream()
                .map(PeerRuns::calls)
                .flatMapToDouble(calls -> DoubleStream.of(ns(calls, 0), ns(calls, 100))));
    List<Peer> lit = Legend.lit(scenario, peers);
    Map<Peer, Double> ends = new EnumMap<>(Peer.class);
    peers.forEach(runs -> ends.put(runs.peer(), y.at(ns(runs.calls(), 100))));
    EndLabels labels = EndLabels.of(ends, lit);
    page.open("figure");
    Legend.write(page, peers, lit);
    String description = ScenarioText.title(scenario) + ": time of a log call by percentile";
    Frame frame = Frame.open(page, description, x, y);
    List<PeerRuns> lastIsOnTop = new ArrayList<>(peers);
    Collections.reverse(lastIsOnTop);
    lastIsOnTop.forEach(runs -> series(page, runs, x, y, labels));
    frame.endLines();
    labels.write(page);
    frame.close("percent of the log calls that took no longer");
    page.close();
  }

  private static void series(Markup page, PeerRuns runs, Axis x, Axis y, EndLabels labels) {
    Histogram calls = runs.calls();
    String mark = runs.isVoid() ? " void" : "";
    page.open("g", "class", "series " + PeerStyle.css(runs.peer()));
    page.open("path", "class", "line" + mark, "d", path(calls, x, y));
    page.element("title", Legend.name(runs.peer()) + mark).close();
    double endX = x.at(lastPercent(calls));
    double endY = y.at(ns(calls, 100));
    labels.leader(page, runs.peer(), endX, endY);
    page.open("path", "class", "dot", "d", Frame.dot(endX, endY));
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
