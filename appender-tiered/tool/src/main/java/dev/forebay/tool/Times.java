package dev.forebay.tool;

import java.time.DateTimeException;
import java.time.Duration;

/** Times on the command line. */
final class Times {

  private Times() {}

  /** A time within limits, of which messages say hours and seconds only. */
  static Duration parse(String option, String time, Duration shortest, Duration longest) {
    try {
      Duration duration = Duration.parse("PT" + time + (time.matches("\\d+") ? "s" : ""));
      if (duration.compareTo(shortest) >= 0 && duration.compareTo(longest) <= 0) {
        return duration;
      }
    } catch (DateTimeException | ArithmeticException e) {
      // Too long a time: refused below.
    }
    throw new ToolException(
        Main.USAGE,
        "%s is \"%s\": write 60s, 5m or 1h, from %ds to %dh"
            .formatted(option, time, shortest.toSeconds(), longest.toHours()));
  }
}
