package dev.forebay.benchmarks.lab.report;

/** The picture of a plot: its size, its grid and the labels of its axes. */
final class Frame {

  static final double WIDTH = 960;
  static final double LEFT = 66;
  static final double RIGHT = WIDTH - 14;
  static final double TOP = 12;

  private static final double BELOW = 44;

  private final double width;
  private final double height;

  Frame(double height) {
    this(WIDTH, height);
  }

  /** Of another width than most. */
  Frame(double width, double height) {
    this.width = width;
    this.height = height;
  }

  /** Coordinate of the right end of the plot. */
  double right() {
    return width - WIDTH + RIGHT;
  }

  /** Coordinate of the lower end of the plot. */
  double bottom() {
    return height - BELOW;
  }

  /** Begins the picture. */
  void begin(Markup page, String description) {
    page.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 " + Markup.number(width) + " " + Markup.number(height),
        "role",
        "img",
        "aria-label",
        description);
  }

  /** Vertical lines with labels below them, and what they mean. */
  void across(Markup page, Axis axis, String meaning) {
    for (Axis.Tick tick : axis.ticks()) {
      double x = axis.at(tick.value());
      page.leaf("path", "class", "grid", "d", "M" + at(x, TOP) + "V" + Markup.number(bottom()));
      page.element("text", tick.label(), "x", x, "y", bottom() + 17, "class", "middle");
    }
    page.element(
        "text", meaning, "x", (LEFT + right()) / 2, "y", bottom() + 36, "class", "middle faint");
  }

  /** Horizontal lines with labels left of them. */
  void up(Markup page, Axis axis) {
    for (Axis.Tick tick : axis.ticks()) {
      double y = axis.at(tick.value());
      page.leaf("path", "class", "grid", "d", "M" + at(LEFT, y) + "H" + Markup.number(right()));
      page.element("text", tick.label(), "x", LEFT - 8, "y", y + 4, "class", "end");
    }
  }

  /** A point of a path. */
  static String at(double x, double y) {
    return Markup.number(x) + " " + Markup.number(y);
  }
}
