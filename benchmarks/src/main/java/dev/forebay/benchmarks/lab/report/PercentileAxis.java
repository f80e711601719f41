package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.stream.Stream;

/** Percent of the calls: each decade towards 100 takes the same room. */
final class PercentileAxis implements Axis {

  /** A bit more than 99.999. */
  private static final double END = 5.15;

  private static final List<Tick> TICKS =
      Stream.of("50", "90", "99", "99.9", "99.99", "99.999")
          .map(label -> new Tick(Double.parseDouble(label), label))
          .toList();

  private final double low;
  private final double high;

  PercentileAxis(double low, double high) {
    this.low = low;
    this.high = high;
  }

  @Override
  public double at(double percent) {
    double decades = percent >= 100 ? END : Math.min(END, -Math.log10(1 - percent / 100));
    return low + decades / END * (high - low);
  }

  @Override
  public List<Tick> ticks() {
    return TICKS;
  }

  /** The percentage drawn at a part, 0 to 1, of the axis. */
  static double percentAt(double part) {
    return 100 * (1 - Math.pow(10, -part * END));
  }
}
