package dev.forebay.it.process;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** How many events each of many deaths cost, also as the time it took to log them. */
final class Losses {

  private final List<Double> events = new ArrayList<>();
  private final List<Double> milliseconds = new ArrayList<>();

  /**
   * A death.
   *
   * @param lost events
   * @param ratePerMs how many events came in a millisecond before it; 0 if that is not known
   */
  void add(long lost, double ratePerMs) {
    events.add((double) lost);
    if (ratePerMs > 0) {
      milliseconds.add(lost / ratePerMs);
    }
  }

  long max() {
    return events.isEmpty() ? 0 : Collections.max(events).longValue();
  }

  @Override
  public String toString() {
    return "events %s; ms %s (%d kills)"
        .formatted(distribution(events, "%.0f"), distribution(milliseconds, "%.1f"), events.size());
  }

  private static String distribution(List<Double> values, String format) {
    if (values.isEmpty()) {
      return "none";
    }
    List<Double> sorted = values.stream().sorted().toList();
    String each = "min F, median F, p99 F, max F".replace("F", format);
    return String.format(
        Locale.ROOT, each, at(sorted, 0), at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
  }

  private static double at(List<Double> sorted, double quantile) {
    return sorted.get((int) Math.ceil(quantile * (sorted.size() - 1)));
  }
}
