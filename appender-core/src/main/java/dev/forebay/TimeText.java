package dev.forebay;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A duration in a configuration: {@code 10 seconds}, {@code 10s}, {@code 500 ms}, {@code 5m},
 * {@code 1.5 hours}, {@code PT10S}; a number alone is milliseconds.
 *
 * <p>Accepts everything that Logback's own class accepts, with one difference: that class reads
 * {@code 10s} as 10 milliseconds.
 *
 * @hidden
 */
public final class TimeText {

  public static final String EXAMPLES = "\"10 seconds\", \"10s\", \"500 ms\" or \"5 minutes\"";

  private static final Pattern TIME = Pattern.compile("([+-]?\\d*\\.?\\d+)\\s*([a-z]*)");

  private static final long SECOND_MS = 1000;

  private TimeText() {}

  /** The time in milliseconds, rounded down; empty if the text is not a time. */
  public static OptionalLong toMs(String text) {
    String time = text.trim().toLowerCase(Locale.ROOT);
    Matcher parts = TIME.matcher(time);
    if (!parts.matches()) {
      return isoToMs(time);
    }
    long unitMs = unitMs(parts.group(2));
    return unitMs == 0
        ? OptionalLong.empty()
        : OptionalLong.of((long) (Double.parseDouble(parts.group(1)) * unitMs));
  }

  /** A unit in milliseconds, in Logback's spellings too; 0 if there is no such unit. */
  private static long unitMs(String unit) {
    boolean isPlural = unit.length() > 2 && unit.endsWith("s");
    return switch (isPlural ? unit.substring(0, unit.length() - 1) : unit) {
      case "", "ms", "milli", "millisecond" -> 1;
      case "s", "sec", "second", "seconde" -> SECOND_MS;
      case "m", "min", "minute" -> 60 * SECOND_MS;
      case "h", "hour" -> 3600 * SECOND_MS;
      case "d", "day" -> 24 * 3600 * SECOND_MS;
      default -> 0;
    };
  }

  private static OptionalLong isoToMs(String time) {
    try {
      return OptionalLong.of(Duration.parse(time).toMillis());
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }
}
