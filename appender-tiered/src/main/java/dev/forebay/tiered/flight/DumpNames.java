package dev.forebay.tiered.flight;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of a log's dumps, {@code app.flight.<time>.<reason>.dump} for {@code app.log}, and of
 * unfinished ones. No part of them looks like a log to those who collect logs by their names. Times
 * are UTC, so that names sort by age.
 *
 * <p>The first word of a reason, up to a hyphen, is the kind of the dump.
 */
final class DumpNames {
  private static final String FLIGHT = ".flight.";
  private static final String ENDING = ".dump";
  private static final String UNFINISHED = ".part";
  private static final int MAX_REASON = 40;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path log;
  private final String stem;
  private final Pattern dump;

  /**
   * @param log the active log file, or any name beside it
   */
  DumpNames(Path log) {
    this.log = log;
    this.stem = String.valueOf(log.getFileName()).replaceFirst("\\.log$", "").replace('.', '-');
    this.dump =
        Pattern.compile(
            Pattern.quote(stem + FLIGHT)
                + "\\d{8}T\\d{6}\\.\\d{3}Z\\.(\\w+)[\\w-]*"
                + Pattern.quote(ENDING));
  }

  /**
   * The path of a dump.
   *
   * @param timeMs when it was triggered, milliseconds since the epoch
   * @param number above 1 if the same name is taken
   */
  Path dump(long timeMs, String reason, int number) {
    return log.resolveSibling(
        stem
            + FLIGHT
            + TIME.format(Instant.ofEpochMilli(timeMs))
            + "."
            + reason
            + (number > 1 ? "-" + number : "")
            + ENDING);
  }

  /** The path of a dump until it is complete. */
  static Path unfinished(Path dump) {
    return dump.resolveSibling("." + dump.getFileName() + UNFINISHED);
  }

  /** The kind of the dump with this name; null if it is none of this log. */
  @Nullable String kind(String name) {
    Matcher matcher = dump.matcher(name);
    return matcher.matches() ? matcher.group(1) : null;
  }

  boolean isUnfinished(String name) {
    int end = name.length() - UNFINISHED.length();
    return name.startsWith(".")
        && name.endsWith(UNFINISHED)
        && kind(name.substring(1, end)) != null;
  }

  /** The log. */
  Path log() {
    return log;
  }

  /** Those of another log in the same directory. */
  DumpNames beside(String name) {
    return new DumpNames(log.resolveSibling(name));
  }

  /** A reason as it may stand in a name. */
  static String reason(String text) {
    String safe = text.trim().replaceAll("[^A-Za-z0-9_-]", "_");
    String cut = safe.substring(0, Math.min(MAX_REASON, safe.length()));
    return cut.isEmpty() ? "dump" : cut;
  }
}
