package dev.forebay.tiered.durable;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds files of a log, mostly by their identity, under whatever name they have now: beside the
 * active file or where the file name pattern puts archives. Looks at names only, so that no pipe
 * and no link is ever opened, and at a bounded number of them. For one search.
 */
final class ArchiveSearch {
  private static final int LIMIT_NAMES = 10_000;

  private record Directory(Path path, int deeper) {}

  private final Disk disk;
  private final Set<Path> seen = new HashSet<>();
  private int looked;

  ArchiveSearch(Disk disk) {
    this.disk = disk;
  }

  /** Says whether a name is looked for; the second argument is what stands there. */
  @FunctionalInterface
  private interface Wanted extends BiPredicate<Path, @Nullable FileInfo> {}

  /**
   * Opens a file.
   *
   * @param key its identity
   * @param active the path of the active file, looked at first
   * @param pattern names archives; null where there are none
   * @return null where no regular file of that identity is found
   */
  @Nullable DiskFile open(String key, Path active, @Nullable String pattern, Disk.Mode mode)
      throws IOException {
    if (isFile(disk.stat(active), key)) {
      return disk.open(active, mode);
    }
    if (key.isEmpty()) {
      return null;
    }
    List<Path> found = find(active, pattern, 1, (path, info) -> isFile(info, key));
    return found.isEmpty() ? null : disk.open(found.get(0), mode);
  }

  /** Another name of a file than this one; null where none is found. */
  @Nullable Path other(String key, Path than, Path active, String pattern) throws IOException {
    List<Path> found =
        find(active, pattern, 1, (path, info) -> isFile(info, key) && !path.equals(than));
    return found.isEmpty() ? null : found.get(0);
  }

  /** The hidden names with this ending. */
  List<Path> hidden(Path active, String pattern, String ending) throws IOException {
    return find(
        active,
        pattern,
        LIMIT_NAMES,
        (path, info) -> {
          String name = String.valueOf(path.getFileName());
          return name.startsWith(".") && name.endsWith(ending);
        });
  }

  private List<Path> find(Path active, @Nullable String pattern, int limit, Wanted wanted)
      throws IOException {
    List<Path> found = new ArrayList<>();
    find(new Directory(active.resolveSibling(""), 0), wanted, limit, found);
    if (pattern != null) {
      find(archiveRoot(pattern), wanted, limit, found);
    }
    return found;
  }

  /** The last directory of a pattern that is the same for all archives. */
  private static Directory archiveRoot(String pattern) throws IOException {
    int token = pattern.indexOf('%');
    String fixed = token < 0 ? pattern : pattern.substring(0, token);
    int slash = fixed.lastIndexOf('/');
    long deeper = pattern.chars().skip(slash + 1L).filter(c -> c == '/').count();
    return new Directory(LogPath.absolute(pattern.substring(0, slash + 1)), (int) deeper);
  }

  private void find(Directory root, Wanted wanted, int limit, List<Path> found) throws IOException {
    Deque<Directory> toVisit = new ArrayDeque<>();
    toVisit.add(root);
    for (Directory next = toVisit.poll(); next != null; next = toVisit.poll()) {
      if (!seen.add(next.path()) && next.deeper() == 0) {
        continue;
      }
      for (Path entry : entriesOf(next.path())) {
        if (++looked > LIMIT_NAMES || found.size() >= limit) {
          return;
        }
        FileInfo info = disk.stat(entry);
        if (wanted.test(entry, info) && !found.contains(entry)) {
          found.add(entry);
        }
        if (info != null && info.kind() == FileInfo.Kind.DIRECTORY && next.deeper() > 0) {
          toVisit.add(new Directory(entry, next.deeper() - 1));
        }
      }
    }
  }

  private Iterable<Path> entriesOf(Path directory) throws IOException {
    FileInfo info = disk.stat(directory);
    return info == null ? Set.of() : disk.list(directory);
  }

  private static boolean isFile(@Nullable FileInfo info, String key) {
    return info != null && info.kind() == FileInfo.Kind.FILE && info.key().equals(key);
  }
}
