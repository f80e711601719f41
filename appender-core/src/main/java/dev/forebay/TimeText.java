package dev.forebay;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A duration in a configuration: {@code 10 seconds}, {@code 10s}, {@code 500 ms}, {@code 5m},
 * {@code 1.5 hours}, {@code PT10S}; a number alone is milliseconds.
 *
 * <p>Accepts everything that Logback's own class accepts, with one difference: that class reads
 * {@code 10s} as 10 milliseconds.
 */
public final class TimeText {

  /** Examples for messages. */
  public static final String EXAMPLES = "\"10 seconds\", \"10s\", \"500 ms\" or \"5 minutes\"";

  private static final Pattern TIME = Pattern.compile("([+-]?\\d*\\.?\\d+)\\s*([a-z]*)");

  private static final long SECOND_MS = 1000;
  private static final long MINUTE_MS = 60 * SECOND_MS;
  private static final long HOUR_MS = 60 * MINUTE_MS;
  private static final long DAY_MS = 24 * HOUR_MS;

  private static final Map<String, Long> UNITS_MS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("ms", 1L),
          Map.entry("milli", 1L),
          Map.entry("millis", 1L),
          Map.entry("millisecond", 1L),
          Map.entry("milliseconds", 1L),
          Map.entry("s", SECOND_MS),
          Map.entry("sec", SECOND_MS),
          Map.entry("secs", SECOND_MS),
          Map.entry("second", SECOND_MS),
          Map.entry("seconde", SECOND_MS), // Logback accepts it
          Map.entry("secondes", SECOND_MS),
          Map.entry("seconds", SECOND_MS),
          Map.entry("m", MINUTE_MS),
          Map.entry("min", MINUTE_MS),
          Map.entry("mins", MINUTE_MS),
          Map.entry("minute", MINUTE_MS),
          Map.entry("minutes", MINUTE_MS),
          Map.entry("h", HOUR_MS),
          Map.entry("hour", HOUR_MS),
          Map.entry("hours", HOUR_MS),
          Map.entry("d", DAY_MS),
          Map.entry("day", DAY_MS),
          Map.entry("days", DAY_MS));

  private TimeText() {}

  /** The time in milliseconds, rounded down; empty if the text is not a time. */
  public static OptionalLong toMs(String text) {
    String time = text.trim().toLowerCase(Locale.ROOT);
    Matcher parts = TIME.matcher(time);
    if (!parts.matches()) {
      return isoToMs(time);
    }
    Long unitMs = UNITS_MS.get(parts.group(2));
    return unitMs == null
        ? OptionalLong.empty()
        : OptionalLong.of((long) (new BigDecimal(parts.group(1)).doubleValue() * unitMs));
  }

  private static OptionalLong isoToMs(String time) {
    try {
      return OptionalLong.of(Duration.parse(time).toMillis());
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }
}
