package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The longest call of each 100 ms, one run a peer, with the fault shaded. */
final class TimelinePlot {

  private TimelinePlot() {}

  /** Draws the peers that have such a list. */
  static void write(Markup page, Scenario scenario, List<PeerRuns> all) {
    List<PeerRuns> peers =
        all.stream()
            .filter(runs -> runs.middle().longestNs().stream().anyMatch(ns -> ns > 0))
            .toList();
    if (peers.isEmpty()) {
      return;
    }
    List<Measurement> runs = peers.stream().map(PeerRuns::middle).toList();
    int steps = runs.stream().mapToInt(run -> run.longestNs().size()).max().orElse(0);
    Axis x = new LinearAxis(0, Frame.SIDE, seconds(steps), Markup::number);
    Axis y =
        LogTimeAxis.over(
            Frame.SIDE,
            0,
            runs.stream().flatMap(run -> run.longestNs().stream()).mapToDouble(Long::doubleValue));
    List<Peer> lit = Legend.lit(scenario, peers);
    EndLabels labels = labels(peers, lit, y);
    page.open("figure");
    Legend.write(page, peers, lit);
    String description = ScenarioText.title(scenario) + ": the longest log call of each 100 ms";
    Frame frame = Frame.open(page, description, x, y);
    Optional<Window> fault = window(runs);
    fault.ifPresent(of -> shade(page, of, x));
    List<PeerRuns> lastIsOnTop = new ArrayList<>(peers);
    Collections.reverse(lastIsOnTop);
    lastIsOnTop.forEach(peer -> series(page, peer, x, y, labels));
    frame.endLines();
    fault.ifPresent(
        of ->
            page.element(
                "span",
                ScenarioText.shortFault(scenario),
                "class",
                "fault-name",
                "style",
                "left:" + Frame.percent(x.at(of.from()))));
    labels.write(page);
    frame.close("seconds of the measured time");
    page.close();
  }

  private static EndLabels labels(List<PeerRuns> peers, List<Peer> lit, Axis y) {
    Map<Peer, Double> ends = new EnumMap<>(Peer.class);
    for (PeerRuns peer : peers) {
      List<Long> longest = peer.middle().longestNs();
      ends.put(peer.peer(), y.at(longest.get(lastStep(longest))));
    }
    return EndLabels.of(ends, lit);
  }

  /** The last in which a call returned; there is one. */
  private static int lastStep(List<Long> longest) {
    int step = longest.size() - 1;
    while (longest.get(step) == 0) {
      step--;
    }
    return step;
  }

  private static double seconds(double steps) {
    return steps * Measurement.STEP_MS / 1000;
  }

  /** Seconds of the measured time. */
  private record Window(double from, double to) {}

  /** Each run has its own fault; the middle one stands for them. */
  private static Optional<Window> window(List<Measurement> runs) {
    List<Measurement> faulty = runs.stream().filter(run -> run.faultFromMs() >= 0).toList();
    Optional<Spread> from =
        Spread.of(faulty.stream().mapToDouble(run -> run.faultFromMs() / 1000.0));
    Optional<Spread> to = Spread.of(faulty.stream().mapToDouble(run -> run.faultToMs() / 1000.0));
    return from.flatMap(of -> to.map(end -> new Window(of.median(), end.median())));
  }

  private static void shade(Markup page, Window fault, Axis x) {
    double left = x.at(fault.from());
    page.leaf(
        "rect",
        "class",
        "fault",
        "x",
        left,
        "y",
        0.0,
        "width",
        Math.max(1, x.at(fault.to()) - left),
        "height",
        Frame.SIDE);
  }

  private static void series(Markup page, PeerRuns peer, Axis x, Axis y, EndLabels labels) {
    String mark = peer.isVoid() ? " void" : "";
    List<Long> longest = peer.middle().longestNs();
    page.open("g", "class", "series " + PeerStyle.css(peer.peer()));
    page.open("path", "class", "line" + mark, "d", path(longest, x, y));
    page.element("title", Legend.name(peer.peer()) + mark).close();
    page.leaf("path", "class", "line gap", "d", gaps(longest, x, y));
    for (int step = 1; step < longest.size(); step++) {
      if (longest.get(step) > 0 && longest.get(step - 1) == 0) {
        page.leaf(
            "path", "class", "dot", "d", Frame.dot(x.at(middle(step)), y.at(longest.get(step))));
      }
    }
    int last = lastStep(longest);
    labels.leader(page, peer.peer(), x.at(middle(last)), y.at(longest.get(last)));
    page.close();
  }

  private static double middle(int step) {
    return seconds(step + 0.5);
  }

  /** From the last call that returned to the next one. */
  private static String gaps(List<Long> longest, Axis x, Axis y) {
    StringBuilder path = new StringBuilder();
    int last = -1;
    for (int step = 0; step < longest.size(); step++) {
      if (longest.get(step) > 0) {
        if (last >= 0 && step - last > 1) {
          path.append('M').append(Frame.at(x.at(middle(last)), y.at(longest.get(last))));
          path.append('L').append(Frame.at(x.at(middle(step)), y.at(longest.get(step))));
        }
        last = step;
      }
    }
    return path.toString();
  }

  /** Broken where no call returned. */
  private static String path(List<Long> longest, Axis x, Axis y) {
    StringBuilder path = new StringBuilder();
    boolean drawn = false;
    for (int step = 0; step < longest.size(); step++) {
      boolean any = longest.get(step) > 0;
      if (any) {
        path.append(drawn ? 'L' : 'M')
            .append(Frame.at(x.at(middle(step)), y.at(longest.get(step))));
      }
      drawn = any;
    }
    return path.toString();
  }
}
