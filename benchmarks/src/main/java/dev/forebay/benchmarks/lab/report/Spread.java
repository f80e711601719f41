package dev.forebay.benchmarks.lab.report;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/** The values of repetitions: the one in the middle, the least and the greatest. */
record Spread(double median, double min, double max, int runs) {

  /** Of those values that are numbers; nothing when there is none. */
  static Optional<Spread> of(DoubleStream values) {
    double[] sorted = values.filter(Double::isFinite).sorted().toArray();
    int n = sorted.length;
    if (n == 0) {
      return Optional.empty();
    }
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    return Optional.of(new Spread(median, sorted[0], sorted[n - 1], n));
  }

  /** The same with each value changed by a function that keeps their order. */
  Spread map(DoubleUnaryOperator increasing) {
    return new Spread(
        increasing.applyAsDouble(median),
        increasing.applyAsDouble(min),
        increasing.applyAsDouble(max),
        runs);
  }

  /** The same with zeros for what is below. */
  Spread atLeastNone() {
    return map(value -> Math.max(0, value));
  }
}
