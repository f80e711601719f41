package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The longest call of each 100 ms, one run a peer, with the fault shaded. */
final class TimelinePlot {

  private TimelinePlot() {}

  /** Draws the peers that have such a list. */
  static void write(Markup page, String title, List<PeerRuns> all) {
    List<PeerRuns> peers =
        all.stream()
            .filter(runs -> runs.middle().longestNs().stream().anyMatch(ns -> ns > 0))
            .toList();
    if (peers.isEmpty()) {
      return;
    }
    List<Measurement> runs = peers.stream().map(PeerRuns::middle).toList();
    int steps = runs.stream().mapToInt(run -> run.longestNs().size()).max().orElse(0);
    Frame frame = new Frame(340);
    Axis x = new LinearAxis(Frame.LEFT, Frame.RIGHT, seconds(steps), s -> Unit.large(s));
    Axis y =
        LogTimeAxis.over(
            frame.bottom(),
            Frame.TOP,
            runs.stream().flatMap(run -> run.longestNs().stream()).mapToDouble(Long::doubleValue));
    page.open("figure");
    Legend.write(page, peers);
    frame.begin(page, title + ": the longest log call of each 100 ms");
    shade(page, runs, x, frame);
    frame.across(page, x, "seconds of the measured time");
    frame.up(page, y);
    List<PeerRuns> lastIsOnTop = new ArrayList<>(peers);
    Collections.reverse(lastIsOnTop);
    lastIsOnTop.forEach(peer -> series(page, peer, x, y));
    page.close().close();
  }

  private static double seconds(double steps) {
    return steps * Measurement.STEP_MS / 1000;
  }

  /** Each run has its own fault; the middle one stands for them. */
  private static void shade(Markup page, List<Measurement> runs, Axis x, Frame frame) {
    List<Measurement> faulty = runs.stream().filter(run -> run.faultFromMs() >= 0).toList();
    Optional<Spread> from =
        Spread.of(faulty.stream().mapToDouble(run -> run.faultFromMs() / 1000.0));
    Optional<Spread> to = Spread.of(faulty.stream().mapToDouble(run -> run.faultToMs() / 1000.0));
    if (from.isEmpty() || to.isEmpty()) {
      return;
    }
    double left = x.at(from.get().median());
    double width = Math.max(1, x.at(to.get().median()) - left);
    page.leaf(
        "rect",
        "class",
        "fault",
        "x",
        left,
        "y",
        Frame.TOP,
        "width",
        width,
        "height",
        frame.bottom() - Frame.TOP);
    page.element("text", "fault", "x", left + 6, "y", Frame.TOP + 16, "class", "faint");
  }

  private static void series(Markup page, PeerRuns peer, Axis x, Axis y) {
    String mark = peer.isVoid() ? " void" : "";
    List<Long> longest = peer.middle().longestNs();
    page.open("g", "class", "series " + PeerStyle.css(peer.peer()));
    page.open("path", "class", "line" + mark, "d", path(longest, x, y));
    page.element("title", Legend.name(peer.peer()) + mark).close();
    page.leaf("path", "class", "line gap", "d", gaps(longest, x, y));
    for (int step = 1; step < longest.size(); step++) {
      if (longest.get(step) > 0 && longest.get(step - 1) == 0) {
        page.leaf(
            "circle",
            "class",
            "dot",
            "r",
            3.0,
            "cx",
            x.at(middle(step)),
            "cy",
            y.at(longest.get(step)));
      }
    }
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
