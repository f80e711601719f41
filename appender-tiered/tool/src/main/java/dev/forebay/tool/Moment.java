package dev.forebay.tool;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times as people write them: {@code 10m}, or a date and time. */
final class Moment {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(s|m|h|d)");

  private Moment() {}

  /** Null if it is none. */
  static @Nullable Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  /** A point in the past, milliseconds since the epoch. */
  static long parse(String text, Instant now, ZoneId zone) {
    Duration ago = duration(text);
    if (ago != null) {
      return now.minus(ago).toEpochMilli();
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
