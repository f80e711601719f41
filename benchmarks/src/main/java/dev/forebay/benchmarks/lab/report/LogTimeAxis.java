package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Nanoseconds, logarithmic, in whole decades. */
final class LogTimeAxis implements Axis {

  private final double low;
  private final double high;
  private final int first;
  private final int last;

  /** From the coordinate of the first decade to that of the last. */
  private LogTimeAxis(double low, double high, int first, int last) {
    this.low = low;
    this.high = high;
    this.first = first;
    this.last = last;
  }

  /** The decades that hold these values, at least one. */
  static LogTimeAxis over(double low, double high, DoubleStream values) {
    double[] positive = values.filter(value -> value > 0).sorted().toArray();
    if (positive.length == 0) {
      return new LogTimeAxis(low, high, 2, 3);
    }
    int first = (int) Math.floor(Math.log10(positive[0]));
    int last = (int) Math.ceil(Math.log10(positive[positive.length - 1]));
    return new LogTimeAxis(low, high, first, Math.max(last, first + 1));
  }

  @Override
  public double at(double ns) {
    double decade = Math.max(first, Math.min(last, Math.log10(ns)));
    return low + (decade - first) / (last - first) * (high - low);
  }

  @Override
  public List<Tick> ticks() {
    return IntStream.rangeClosed(first, last)
        .mapToObj(decade -> new Tick(Math.pow(10, decade), label(decade)))
        .toList();
  }

  private static String label(int decade) {
    String[] units = {"ns", "µs", "ms", "s"};
    int unit = Math.max(0, Math.min(units.length - 1, Math.floorDiv(decade, 3)));
    double number = Math.pow(10, decade - 3 * unit);
    return (number >= 1 ? Unit.COUNT.bare(number) : Unit.PERCENT.bare(number)) + " " + units[unit];
  }
}
