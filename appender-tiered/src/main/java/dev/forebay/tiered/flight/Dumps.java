package dev.forebay.tiered.flight;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The dumps beside a log, {@code app.flight.<time>.<reason>.dump} for {@code app.log}, and
 * unfinished ones. No part of their names looks like a log to programs that collect logs by name.
 * Times are UTC, so that names sort by age. For the shipper's thread.
 *
 * <p>The first word of a reason, up to a hyphen, is the kind of the dump.
 */
final class Dumps {
  private static final String FLIGHT = ".flight.";
  private static final String ENDING = ".dump";
  private static final String UNFINISHED = ".dump.part";
  private static final int MAX_REASON = 40;

  /** Far longer than a dump takes, unless its disk hangs. */
  static final long UNFINISHED_AGE_MS = 86_400_000;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Disk disk;
  private final Path log;
  private final String stem;
  private final Pattern dump;

  Dumps(Disk disk, Path log) {
    this.disk = disk;
    this.log = log;
    this.stem = String.valueOf(log.getFileName()).replaceFirst("\\.log$", "").replace('.', '~');
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
  Path dump(long timeMs, String reason, int number) throws IOException {
    return directory()
        .resolve(
            stem
                + FLIGHT
                + TIME.format(Instant.ofEpochMilli(timeMs))
                + "."
                + reason
                + (number > 1 ? "-" + number : "")
                + ENDING);
  }

  /** Gives a complete dump a name that no file has: a neighbour may take one at any moment. */
  Path name(Dump complete, long timeMs, String reason) throws IOException {
    int number = 1;
    Path path = dump(timeMs, reason, number);
    while (!complete.take(path)) {
      path = dump(timeMs, reason, ++number);
    }
    return path;
  }

  /**
   * The path of a loop's dump until it is complete: each loop has one at a time. The holder of the
   * loop's lock may replace or delete what a killed process left there, and no other dump.
   */
  Path unfinished(InstanceId loop) throws IOException {
    return directory().resolve("." + stem + FLIGHT + loop + UNFINISHED);
  }

  /** Deletes the oldest dumps of each kind if there are too many. */
  void removeOld(int maxDumps) throws IOException {
    List<Path> newestFirst = new ArrayList<>(disk.list(directory()));
    newestFirst.sort(Comparator.reverseOrder());
    Map<String, Integer> found = new HashMap<>();
    for (Path path : newestFirst) {
      String kind = kind(String.valueOf(path.getFileName()));
      FileInfo info = kind == null ? null : disk.stat(path);
      if (kind != null
          && info != null
          && Trust.isOwnFile(info, disk.userId(), 1)
          && found.merge(kind, 1, Integer::sum) > maxDumps) {
        disk.delete(path);
      }
    }
  }

  /**
   * Deletes what is unfinished and old: its loop may be gone with the memory of a container, or be
   * in use: a process in another container may be writing the dump.
   *
   * @param nowMs milliseconds since the epoch
   */
  void removeUnfinished(long nowMs) throws IOException {
    for (Path path : disk.list(directory())) {
      String name = String.valueOf(path.getFileName());
      boolean isUnfinished = name.startsWith("." + stem + FLIGHT) && name.endsWith(UNFINISHED);
      FileInfo info = isUnfinished ? disk.stat(path) : null;
      if (info != null
          && Trust.isOwnFile(info, disk.userId(), 1)
          && nowMs - info.modifiedMs() > UNFINISHED_AGE_MS) {
        disk.delete(path);
      }
    }
  }

  /** Without {@code <file>} the log is a pattern, whose dated directories come and go. */
  private Path directory() throws IOException {
    Path directory = log.resolveSibling("");
    while (directory.toString().contains("%") && disk.stat(directory) == null) {
      directory = directory.resolveSibling("");
    }
    return directory;
  }

  /** The kind of the dump with this name; null if it is none of this log. */
  @Nullable String kind(String name) {
    Matcher matcher = dump.matcher(name);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /** A reason as it may stand in a name. */
  static String reason(String text) {
    String safe = text.trim().replaceAll("[^A-Za-z0-9_-]", "_");
    String cut = safe.substring(0, Math.min(MAX_REASON, safe.length()));
    return cut.isEmpty() ? "dump" : cut;
  }
}
