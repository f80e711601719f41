package dev.forebay.benchmarks.lab.report;

import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** The values of repetitions: the one in the middle, the least and the greatest. */
record Spread(double median, double min, double max, int runs) {

  /** Of those values that are numbers; null when there is none. */
  static @Nullable Spread of(DoubleStream values) {
    double[] sorted = values.filter(Double::isFinite).sorted().toArray();
    int n = sorted.length;
    return n == 0
        ? null
        : new Spread((sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[0], sorted[n - 1], n);
  }

  /** The same with each value changed by a function that keeps their order. */
  Spread map(DoubleUnaryOperator increasing) {
    return new Spread(
        increasing.applyAsDouble(median),
        increasing.applyAsDouble(min),
        increasing.applyAsDouble(max),
        runs);
  }
}
