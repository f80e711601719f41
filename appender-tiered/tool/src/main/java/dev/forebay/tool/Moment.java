package dev.forebay.tool;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;

/** Times as people write them: {@code 10m}, or a date and time. */
final class Moment {

  private Moment() {}

  /**
   * The time that {@code 30s}, {@code 10m}, {@code 2h} or {@code 1d} means.
   *
   * @throws DateTimeParseException if it means none
   */
  static Duration duration(String text) {
    return Duration.parse((text.endsWith("d") ? "P" : "PT") + text.replace(" ", ""));
  }

  /** A point in the past, milliseconds since the epoch. */
  static long parse(String text, Instant now, ZoneId zone) {
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text).toEpochMilli();
      }
      return text.contains("-")
          ? LocalDateTime.parse(text).atZone(zone).toInstant().toEpochMilli()
          : now.minus(duration(text)).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw new ToolException(
          ExitCode.USAGE,
          "--since \"%s\" is no time; write 30s, 10m, 2h, 1d, 2026-01-31T23:59 or 2026-01-31T23:59:00Z"
              .formatted(text));
    }
  }
}
