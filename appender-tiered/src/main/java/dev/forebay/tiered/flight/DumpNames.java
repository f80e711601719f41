package dev.forebay.tiered.flight;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of a log's dumps, {@code app.flight.<time>.<reason>.log} for {@code app.log}, and of
 * unfinished ones. Times are UTC, so that names sort by age.
 */
final class DumpNames {
  private static final String FLIGHT = ".flight.";
  private static final String UNFINISHED = ".part";
  private static final int MAX_REASON = 40;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path log;
  private final String stem;
  private final String extension;
  private final Pattern dump;
  private final Pattern unfinished;

  /**
   * @param log the active log file, or any name beside it
   */
  DumpNames(Path log) {
    Path last = log.getFileName();
    String name = last == null ? "" : last.toString();
    int dot = name.lastIndexOf('.');
    this.log = log;
    this.stem = dot <= 0 ? name : name.substring(0, dot);
    this.extension = dot <= 0 ? "" : name.substring(dot);
    String ofDump =
        Pattern.quote(stem + FLIGHT)
            + "\\d{8}T\\d{6}\\.\\d{3}Z\\.[\\w-]+"
            + Pattern.quote(extension);
    this.dump = Pattern.compile(ofDump);
    this.unfinished = Pattern.compile("\\." + ofDump + Pattern.quote(UNFINISHED));
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
            + extension);
  }

  /** The path of a dump until it is complete. */
  static Path unfinished(Path dump) {
    return dump.resolveSibling("." + dump.getFileName() + UNFINISHED);
  }

  boolean isDump(String name) {
    return dump.matcher(name).matches();
  }

  boolean isUnfinished(String name) {
    return unfinished.matcher(name).matches();
  }

  /** The log, whose mode dumps have. */
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
