package dev.forebay.benchmarks.lab.report;

import java.util.List;

/** Where a value is drawn. Values beyond the ends of an axis are drawn at its end. */
interface Axis {

  /** A labelled value. */
  record Tick(double value, String label) {}

  /** Coordinate of a value. */
  double at(double value);

  /** What is labelled. */
  List<Tick> ticks();
}
