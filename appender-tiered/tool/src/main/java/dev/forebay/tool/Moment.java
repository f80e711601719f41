package dev.forebay.tool;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A point in the past, as people write it: {@code 10m} ago, or a date and time. */
final class Moment {

  private static final Pattern AGO = Pattern.compile("(\\d{1,9}) ?(s|m|h|d)");

  private Moment() {}

  /** Milliseconds since the epoch. */
  static long parse(String text, Instant now, ZoneId zone) {
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      long number = Long.parseLong(ago.group(1));
      Duration duration =
          switch (ago.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          };
      return now.minus(duration).toEpochMilli();
    }
    try {
      return text.endsWith("Z")
          ? Instant.parse(text).toEpochMilli()
          : LocalDateTime.parse(text).atZone(zone).toInstant().toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new ToolException(
          ExitCode.USAGE,
          "--since \"%s\" is no time; write 30s, 10m, 2h, 1d, 2026-01-31T23:59 or 2026-01-31T23:59:00Z"
              .formatted(text));
    }
  }
}
