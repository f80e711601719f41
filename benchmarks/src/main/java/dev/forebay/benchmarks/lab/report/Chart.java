package dev.forebay.benchmarks.lab.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart of the page.
 *
 * @param kind which of the page's functions draws it
 * @param how how it is to be read
 * @param x of the points of all lines; a percentile as how many nines it has
 * @param shaded from where to where something was wrong; empty: nothing was
 */
record Chart(
    Kind kind,
    String title,
    String how,
    List<Double> x,
    List<Line> lines,
    List<Bar> bars,
    List<Double> shaded) {

  /** How a chart is drawn. */
  enum Kind {
    /** Nanoseconds over seconds. */
    TIMELINE,
    /** Nanoseconds over percentiles. */
    PERCENTILES,
    /** A bar a peer, of parts beside one another. */
    BARS
  }

  /**
   * What is drawn of one peer.
   *
   * @param shown whether at first; the reader may switch lines on and off
   * @param isVoid whether its runs count for nothing
   * @param y at each x; null where there is no point
   */
  record Line(String name, boolean shown, boolean isVoid, List<@Nullable Double> y) {}

  /**
   * What is drawn of one peer.
   *
   * @param text what it says
   */
  record Bar(String name, boolean isVoid, List<Part> parts, String text) {}

  /** A part of a bar. */
  record Part(String name, double value) {}
}
