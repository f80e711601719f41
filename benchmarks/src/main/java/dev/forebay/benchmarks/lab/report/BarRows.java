package dev.forebay.benchmarks.lab.report;

import java.util.function.DoubleFunction;

/** Horizontal bars, a row a peer, its name on the left. */
final class BarRows {

  static final double BAR = 18;

  private static final double ROW = 28;
  private static final double NAMES = 262;

  /** Right of the longest bar: what it says. */
  private static final double WORDS = 250;

  private final Frame frame;
  private final Axis x;
  private int rows;

  BarRows(int rows, double most, DoubleFunction<String> label) {
    frame = new Frame(Frame.TOP + rows * ROW + 50);
    x = new LinearAxis(NAMES, Frame.RIGHT - WORDS, most, label);
  }

  void begin(Markup page, String description, String meaning) {
    frame.begin(page, description);
    frame.across(page, x, meaning);
  }

  /** Begins the row of a peer, and says where its bar is. */
  double row(Markup page, PeerRuns runs) {
    double top = Frame.TOP + rows++ * ROW + (ROW - BAR) / 2;
    page.element(
        "text",
        Legend.name(runs.peer()),
        "class",
        runs.peer().isForebay() ? "end ours" : "end",
        "x",
        NAMES - 8,
        "y",
        top + BAR - 5);
    return top;
  }

  void bar(Markup page, String css, double top, double from, double to, String title) {
    page.open(
        "rect",
        "class",
        css,
        "x",
        x.at(from),
        "y",
        top,
        "width",
        Math.max(0, x.at(to) - x.at(from)),
        "height",
        BAR);
    page.element("title", title).close();
  }

  /** Lines over a bar: the surface colour makes a hatching of it. */
  void hatch(Markup page, double top, double to) {
    page.leaf(
        "rect",
        "fill",
        "url(#hatch)",
        "x",
        x.at(0),
        "y",
        top,
        "width",
        x.at(to) - x.at(0),
        "height",
        BAR);
  }

  /** From the least to the greatest value. */
  void whisker(Markup page, double top, Spread spread) {
    String y = Markup.number(top + BAR / 2);
    String from = Markup.number(x.at(spread.min()));
    String to = Markup.number(x.at(spread.max()));
    String end = "v-5v10v-5";
    page.leaf("path", "class", "whisker", "d", "M" + from + " " + y + end + "H" + to + end);
  }

  /** What a bar says, right of its end. */
  void words(Markup page, double top, double end, String text) {
    page.element("text", text, "x", x.at(end) + 9, "y", top + BAR - 5);
  }
}
