package dev.forebay.tiered.flight;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The dumps beside a log, {@code app.flight.<time>.<reason>.dump} for {@code app.log}, and
 * unfinished ones. No part of their names looks like a log to those who collect logs by name. Times
 * are UTC, so that names sort by age. For the shipper's thread.
 *
 * <p>The first word of a reason, up to a hyphen, is the kind of the dump.
 */
final class Dumps {
  private static final String FLIGHT = ".flight.";
  private static final String ENDING = ".dump";
  private static final String UNFINISHED = ".part";
  private static final int MAX_REASON = 40;

  /** Far longer than a dump takes, unless its disk hangs. */
  private static final long ABANDONED_AFTER_MS = 86_400_000;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Disk disk;
  private final Path log;
  private final String stem;
  private final Pattern dump;

  /**
   * @param log the active log file, or any name beside it
   */
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

  /** A name that no file has, also not one that a neighbour is writing. */
  Path freeName(long timeMs, String reason) throws IOException {
    int number = 1;
    Path path = dump(timeMs, reason, number);
    while (disk.stat(path) != null || disk.stat(unfinished(path)) != null) {
      number++;
      path = dump(timeMs, reason, number);
    }
    return path;
  }

  /**
   * Deletes what killed processes have left unfinished: only if it is old, as a neighbour with the
   * same log may be writing it.
   *
   * @param timeMs about now, milliseconds since the epoch
   */
  void removeUnfinished(long timeMs) throws IOException {
    for (Path path : ours(this::isUnfinished)) {
      FileInfo info = disk.stat(path);
      if (info != null && timeMs - info.modifiedMs() > ABANDONED_AFTER_MS) {
        disk.delete(path);
      }
    }
  }

  /**
   * The name for the dump of a dead process's loop, the same at each attempt. To be called with the
   * loop locked: so nobody else writes that dump.
   */
  Path nameOfDead(long timeMs, String reason) throws IOException {
    Path path = dump(timeMs, reason, 1);
    disk.delete(unfinished(path));
    return path;
  }

  /** Deletes the oldest dumps of the same kind as this one if there are too many. */
  void removeOldest(Path newest, int maxDumps) throws IOException {
    String kind = kind(String.valueOf(newest.getFileName()));
    List<Path> dumps = ours(name -> Objects.equals(kind(name), kind));
    for (Path path : dumps.subList(0, Math.max(0, dumps.size() - maxDumps))) {
      disk.delete(path);
    }
  }

  /** Regular files of our user with one link, by name. */
  private List<Path> ours(Predicate<String> named) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path path : disk.list(log.resolveSibling(""))) {
      Path name = path.getFileName();
      FileInfo info = name != null && named.test(name.toString()) ? disk.stat(path) : null;
      if (info != null
          && info.kind() == FileInfo.Kind.FILE
          && info.links() <= 1
          && (info.ownerId() < 0 || info.ownerId() == disk.userId())) {
        found.add(path);
      }
    }
    found.sort(null);
    return found;
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

  private boolean isUnfinished(String name) {
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
  Dumps beside(String name) {
    return new Dumps(disk, log.resolveSibling(name));
  }

  /** A reason as it may stand in a name. */
  static String reason(String text) {
    String safe = text.trim().replaceAll("[^A-Za-z0-9_-]", "_");
    String cut = safe.substring(0, Math.min(MAX_REASON, safe.length()));
    return cut.isEmpty() ? "dump" : cut;
  }
}
