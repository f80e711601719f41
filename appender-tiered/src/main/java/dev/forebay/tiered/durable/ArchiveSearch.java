package dev.forebay.tiered.durable;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds a log file by its identity, under whatever name it has now: beside the active file or where
 * the file name pattern puts archives. Looks at names only, so that no pipe and no link is ever
 * opened, and at a bounded number of them.
 */
final class ArchiveSearch {
  private static final int LIMIT_NAMES = 10_000;

  private record Directory(Path path, int deeper) {}

  private final Disk disk;
  private final String key;
  private final Set<Path> seen = new HashSet<>();
  private int looked;

  ArchiveSearch(Disk disk, String key) {
    this.disk = disk;
    this.key = key;
  }

  /**
   * Opens the file.
   *
   * @param active the path of the active file, looked at first
   * @param pattern names archives; null where there are none
   * @return null where no regular file of that identity is found
   */
  @Nullable DiskFile open(Path active, @Nullable String pattern, Disk.Mode mode)
      throws IOException {
    if (is(disk.stat(active))) {
      return disk.open(active, mode);
    }
    if (key.isEmpty()) {
      return null;
    }
    Path found = find(new Directory(active.resolveSibling(""), 0));
    if (found == null && pattern != null) {
      found = find(archiveRoot(pattern));
    }
    return found == null ? null : disk.open(found, mode);
  }

  /** The last directory of a pattern that is the same for all archives. */
  private static Directory archiveRoot(String pattern) throws IOException {
    int token = pattern.indexOf('%');
    String fixed = token < 0 ? pattern : pattern.substring(0, token);
    int slash = fixed.lastIndexOf('/');
    long deeper = pattern.chars().skip(slash + 1L).filter(c -> c == '/').count();
    return new Directory(LogPath.absolute(pattern.substring(0, slash + 1)), (int) deeper);
  }

  private @Nullable Path find(Directory root) throws IOException {
    Deque<Directory> toVisit = new ArrayDeque<>();
    toVisit.add(root);
    for (Directory next = toVisit.poll(); next != null; next = toVisit.poll()) {
      if (!seen.add(next.path()) && next.deeper() == 0) {
        continue;
      }
      for (Path entry : entriesOf(next.path())) {
        if (++looked > LIMIT_NAMES) {
          return null;
        }
        FileInfo info = disk.stat(entry);
        if (is(info)) {
          return entry;
        }
        if (info != null && info.kind() == FileInfo.Kind.DIRECTORY && next.deeper() > 0) {
          toVisit.add(new Directory(entry, next.deeper() - 1));
        }
      }
    }
    return null;
  }

  private Iterable<Path> entriesOf(Path directory) throws IOException {
    FileInfo info = disk.stat(directory);
    return info == null ? Set.of() : disk.list(directory);
  }

  private boolean is(@Nullable FileInfo info) {
    return info != null && info.kind() == FileInfo.Kind.FILE && info.key().equals(key);
  }
}
