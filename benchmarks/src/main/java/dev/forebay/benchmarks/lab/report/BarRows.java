package dev.forebay.benchmarks.lab.report;

import java.util.function.DoubleFunction;

/** Horizontal bars, a row a peer: its name, its bars, and what they say. */
final class BarRows {

  private final Markup page;
  private final Axis x;

  BarRows(Markup page, double most, DoubleFunction<String> label) {
    this.page = page;
    x = new LinearAxis(0, Frame.SIDE, most, label);
  }

  void begin() {
    page.open("div", "class", "bars");
  }

  /** Begins the row of a peer. */
  void row(PeerRuns runs) {
    page.open("div", "class", runs.peer().isForebay() ? "row ours" : "row");
    page.element("span", Legend.name(runs.peer()), "class", "name");
    page.open("span", "class", "track " + PeerStyle.css(runs.peer()));
  }

  void bar(String css, double from, double to, String title) {
    page.element("i", "", "class", css, "style", reach(from, to), "title", title);
  }

  /** From the least to the greatest value. */
  void whisker(Spread spread) {
    if (spread.runs() > 1) {
      page.element("i", "", "class", "whisker", "style", reach(spread.min(), spread.max()));
    }
  }

  /** Ends the row with what its bars say. */
  void endRow(String words) {
    page.close().element("span", words, "class", "words").close();
  }

  /** Ends the bars with their axis. */
  void end(String meaning) {
    page.open("div", "class", "row scale").element("span", meaning, "class", "name");
    page.open("span", "class", "track");
    for (Axis.Tick tick : x.ticks()) {
      page.element(
          "span", tick.label(), "class", "x", "style", "left:" + Frame.percent(x.at(tick.value())));
    }
    page.close().close().close();
  }

  private String reach(double from, double to) {
    double left = x.at(from);
    return "left:%s;width:%s"
        .formatted(Frame.percent(left), Frame.percent(Math.max(0, x.at(to) - left)));
  }
}
