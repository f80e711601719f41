package dev.forebay.benchmarks.lab.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;

/** How numbers are written: about three digits, thousands separated, the same in every locale. */
enum Unit {
  /** Nanoseconds, in the unit that suits the size. */
  TIME(""),
  /** A whole number. */
  COUNT(""),
  /** Per second. */
  PER_SECOND("/s"),
  /** Nanoseconds, always. */
  NS(" ns"),
  /** Bytes. */
  BYTES(" B"),
  /** Bytes, in units of 10^6. */
  MEGABYTES(" MB"),
  /** Percent. */
  PERCENT(" %"),
  /** A multiple. */
  TIMES(" ×"),
  /** Large numbers a second. */
  EVENTS_PER_SECOND(" M/s");

  /** What stands where there is no number. */
  static final String NOTHING = "–";

  private static final String[] TIMES_OF = {"ns", "µs", "ms", "s"};

  private final String suffix;

  Unit(String suffix) {
    this.suffix = suffix;
  }

  /** With the unit. */
  String format(double value) {
    return this == TIME ? time(value) : bare(value) + suffix;
  }

  /** Without the unit, for a table whose head names it; times have one always. */
  String bare(double value) {
    return switch (this) {
      case TIME -> time(value);
      case COUNT, NS -> whole(value);
      case EVENTS_PER_SECOND, MEGABYTES -> digits(value / 1e6);
      case PER_SECOND, BYTES -> Math.abs(value) < 10 ? digits(value) : whole(value);
      case PERCENT, TIMES -> digits(value);
    };
  }

  /** A median and, in brackets, its range if that says more. */
  String spread(Optional<Spread> value) {
    if (value.isEmpty()) {
      return NOTHING;
    }
    String median = bare(value.get().median());
    String range = range(value.get());
    return value.get().runs() < 2 || range.equals(median) ? median : median + " (" + range + ")";
  }

  /** From and to, without a unit but for times. */
  String range(Spread spread) {
    String from = bare(spread.min());
    String to = bare(spread.max());
    if (from.equals(to)) {
      return from;
    }
    int unit = from.indexOf(' ');
    boolean same = unit > 0 && to.endsWith(from.substring(unit));
    String dash = from.startsWith("-") || to.startsWith("-") ? " to " : "–";
    return (same ? from.substring(0, unit) : from) + dash + to;
  }

  /** With the unit, without zeros at the end: for limits and axes. */
  String brief(double value) {
    return withoutZeros(format(value));
  }

  /** In millions or thousands, for bars and their axis. */
  static String large(double value) {
    return value >= 1e6
        ? withoutZeros(digits(value / 1e6)) + " M"
        : value >= 1e4 ? withoutZeros(digits(value / 1e3)) + " k" : whole(value);
  }

  private static String withoutZeros(String number) {
    return number.replaceAll("(\\.\\d*?)0+(?!\\d)", "$1").replaceAll("\\.(?!\\d)", "");
  }

  private static String time(double ns) {
    double value = round(ns);
    int unit = 0;
    while (Math.abs(value) >= 1000 && unit < TIMES_OF.length - 1) {
      value /= 1000;
      unit++;
    }
    return (unit == 0 ? whole(value) : digits(value)) + " " + TIMES_OF[unit];
  }

  private static String whole(double value) {
    return positive(String.format(Locale.ROOT, "%,.0f", value));
  }

  private static String digits(double value) {
    double rounded = round(value);
    double size = Math.abs(rounded);
    String format = size == 0 ? "%.0f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f";
    return positive(String.format(Locale.ROOT, format, rounded));
  }

  private static double round(double value) {
    return new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP)).doubleValue();
  }

  /** No sign before a zero. */
  private static String positive(String number) {
    return number.matches("-0(\\.0+)?") ? number.substring(1) : number;
  }
}
