package dev.forebay.tiered.flight;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The directory of the log and its dumps. For the shipper's thread. */
record DumpDirectory(Disk disk, DumpNames names, int maxDumps) {

  /** Far longer than a dump takes, unless its disk hangs. */
  private static final long ABANDONED_AFTER_MS = 86_400_000;

  /** A name that no file has, also not one that a neighbour is writing. */
  Path freeName(long timeMs, String reason) throws IOException {
    int number = 1;
    Path path = names.dump(timeMs, reason, number);
    while (disk.stat(path) != null || disk.stat(DumpNames.unfinished(path)) != null) {
      number++;
      path = names.dump(timeMs, reason, number);
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
    for (Path path : ours(names::isUnfinished)) {
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
    Path path = names.dump(timeMs, reason, 1);
    disk.delete(DumpNames.unfinished(path));
    return path;
  }

  /** Deletes the oldest dumps of the same kind as this one if there are too many. */
  void removeOldest(Path newest) throws IOException {
    String kind = names.kind(String.valueOf(newest.getFileName()));
    List<Path> dumps = ours(name -> Objects.equals(names.kind(name), kind));
    for (Path path : dumps.subList(0, Math.max(0, dumps.size() - maxDumps))) {
      disk.delete(path);
    }
  }

  /** Regular files of our user with one link, by name. */
  private List<Path> ours(Predicate<String> named) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path path : disk.list(names.log().resolveSibling(""))) {
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
}
