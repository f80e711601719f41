package dev.forebay.it.demo;

import java.util.Locale;

/** Numbers for people. */
final class Text {

  private Text() {}

  /** A duration with three digits or so and its unit. */
  static String duration(long ns) {
    if (ns < 1_000_000) {
      return decimal(ns / 1e3) + " us";
    }
    if (ns < 1_000_000_000) {
      return decimal(ns / 1e6) + " ms";
    }
    return decimal(ns / 1e9) + " s";
  }

  private static String decimal(double value) {
    String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Bytes as megabytes. */
  static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }

  /** How full something is; 0 when it has no capacity. */
  static String percent(long fill, long capacity) {
    return (capacity == 0 ? 0 : Math.round(100.0 * fill / capacity)) + " %";
  }
}
