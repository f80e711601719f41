package dev.forebay.benchmarks.lab.report;

/**
 * The picture of a plot. Its lines are drawn in a square that is stretched to the room there is;
 * the labels beside it are HTML, so they have the same size on a narrow screen as on a wide one.
 */
final class Frame {

  /** Length of both sides of the square. */
  static final double SIDE = 1000;

  private final Markup page;

  private Frame(Markup page) {
    this.page = page;
  }

  /** Writes the axes and their grid; what is written next is in the square. */
  static Frame open(Markup page, String description, Axis x, Axis y) {
    page.open("div", "class", "plot", "role", "img", "aria-label", description);
    for (Axis.Tick tick : y.ticks()) {
      page.element("span", tick.label(), "class", "y", "style", "top:" + percent(y, tick));
    }
    for (Axis.Tick tick : x.ticks()) {
      page.element("span", tick.label(), "class", "x", "style", "left:" + percent(x, tick));
    }
    String size = Markup.number(SIDE);
    page.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 " + size + " " + size,
        "preserveAspectRatio",
        "none");
    StringBuilder grid = new StringBuilder();
    x.ticks().forEach(tick -> grid.append('M').append(at(x.at(tick.value()), 0)).append("V1000"));
    y.ticks().forEach(tick -> grid.append('M').append(at(0, y.at(tick.value()))).append("H1000"));
    page.leaf("path", "class", "grid", "d", grid);
    return new Frame(page);
  }

  /** Ends the square; what is written next is over it. */
  Frame endLines() {
    page.close();
    return this;
  }

  /** Ends the picture and says what its horizontal axis means. */
  void close(String meaning) {
    page.close().element("p", meaning, "class", "axis");
  }

  private static String percent(Axis axis, Axis.Tick tick) {
    return percent(axis.at(tick.value()));
  }

  /** Where a coordinate is, for a style. */
  static String percent(double coordinate) {
    return Markup.number(coordinate * 100 / SIDE) + "%";
  }

  /** A point of a path. */
  static String at(double x, double y) {
    return Markup.number(x) + " " + Markup.number(y);
  }

  /** A path that is drawn as a dot, whatever the square is stretched to. */
  static String dot(double x, double y) {
    return "M" + at(x, y) + "h.01";
  }
}
