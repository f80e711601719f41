package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Measurements and times in a few words. */
final class Text {

  private static final double P999 = 99.9;
  private static final double THOUSAND = 1_000;
  private static final long SHORT_SECONDS = 90;

  private Text() {}

  /** What a run gave, on one line. */
  static String of(Measurement run) {
    String reason = run.voidBecause();
    String figures = figures(run);
    if (reason == null) {
      return figures;
    }
    return figures + (figures.isEmpty() ? "" : ", ") + "void: " + reason;
  }

  private static String figures(Measurement run) {
    double elapsed = run.figure(Figure.ELAPSED_NS).orElse(0);
    if (elapsed == 0) {
      return "";
    }
    double seconds = elapsed / TimeUnit.SECONDS.toNanos(1);
    return switch (run.scenario().load()) {
      case NONE ->
          format(
              "%,.0f context switches a second",
              run.figure(Figure.VOLUNTARY_SWITCHES).orElse(0) / seconds);
      case UNPACED_KEEPING ->
          format("%,.0f events a second", run.figure(Figure.CALLS).orElse(0) / seconds);
      case PACED, TRACED, BURSTS, SINGLE, UNPACED, UNPACED_NUMBER ->
          format(
              "p99.9 %s, longest %s",
              time(run.calls().getValueAtPercentile(P999)), time(run.calls().getMaxValue()));
    };
  }

  /** A short time with a unit that suits it. */
  static String time(long nanos) {
    double value = nanos;
    for (String unit : new String[] {"ns", "µs", "ms"}) {
      if (value < THOUSAND) {
        return format(unit.equals("ns") || value >= 100 ? "%.0f %s" : "%.1f %s", value, unit);
      }
      value /= THOUSAND;
    }
    return format("%.1f s", value);
  }

  /** A time to wait. */
  static String time(Duration time) {
    return time.toSeconds() < SHORT_SECONDS
        ? time.toSeconds() + " s"
        : Math.round(time.toSeconds() / (double) TimeUnit.MINUTES.toSeconds(1)) + " min";
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
