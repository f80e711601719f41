package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;

/** From zero, with steps of 1, 2 or 5 times a power of ten. */
final class LinearAxis implements Axis {

  private static final int STEPS_AT_MOST = 10;

  private final double low;
  private final double high;
  private final double end;
  private final DoubleFunction<String> label;

  LinearAxis(double low, double high, double end, DoubleFunction<String> label) {
    this.low = low;
    this.high = high;
    this.end = end > 0 ? end : 1;
    this.label = label;
  }

  @Override
  public double at(double value) {
    return low + Math.max(0, Math.min(1, value / end)) * (high - low);
  }

  @Override
  public List<Tick> ticks() {
    double step = step();
    return IntStream.rangeClosed(0, (int) Math.floor(end / step + 1e-9))
        .mapToObj(i -> new Tick(i * step, label.apply(i * step)))
        .toList();
  }

  private double step() {
    double power = Math.pow(10, Math.floor(Math.log10(end / STEPS_AT_MOST)));
    for (double factor : new double[] {1, 2, 5}) {
      if (end / (power * factor) <= STEPS_AT_MOST) {
        return power * factor;
      }
    }
    return power * 10;
  }
}
