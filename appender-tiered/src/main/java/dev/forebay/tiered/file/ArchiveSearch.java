package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds files of a log, usually by their identity, under their current name: next to the active
 * file or where the file name pattern puts archives. Never opens a pipe or a link. Inspects a
 * bounded number of files; listing names is cheap and unbounded. For one search.
 */
final class ArchiveSearch {
  private static final int LIMIT_ASKED = 100_000;

  private final Disk disk;
  private final Set<Path> seen = new HashSet<>();
  private int asked;

  /** How the names that are wanted end, if they are hidden; "" for any name. */
  private String ending = "";

  ArchiveSearch(Disk disk) {
    this.disk = disk;
  }

  /**
   * Opens a file.
   *
   * @param key its identity
   * @param active the path of the active file, checked first
   * @param pattern file name pattern of archives; null if there are none
   * @return null if no regular file of that identity is found
   */
  @Nullable DiskFile open(String key, Path active, @Nullable String pattern, Disk.Mode mode)
      throws IOException {
    if (isFile(disk.stat(active), key)) {
      return disk.open(active, mode);
    }
    if (key.isEmpty()) {
      return null;
    }
    List<Path> found = find(active, pattern, key);
    return found.isEmpty() ? null : disk.open(found.get(0), mode);
  }

  /** All hidden names with this ending and at least one character in between. */
  List<Path> hidden(Path active, String pattern, String nameEnding) throws IOException {
    ending = nameEnding;
    return find(active, pattern, null);
  }

  private boolean isWanted(Path entry) {
    String name = String.valueOf(entry.getFileName());
    return ending.isEmpty()
        || (name.startsWith(".") && name.endsWith(ending) && name.length() > ending.length() + 1);
  }

  /**
   * The files of the names that are wanted.
   *
   * @param key their identity, of which one is enough; null for all, also of what is no file
   */
  private List<Path> find(Path active, @Nullable String pattern, @Nullable String key)
      throws IOException {
    List<Path> found = new ArrayList<>();
    find(active.resolveSibling(""), 0, true, key, found);
    if (pattern != null) {
      int token = pattern.indexOf('%');
      String fixed = token < 0 ? pattern : pattern.substring(0, token);
      int slash = fixed.lastIndexOf('/'); // ends the last directory that all archives share
      int deeper = pattern.substring(slash + 1).split("/", -1).length - 1;
      find(LogPath.absolute(pattern.substring(0, slash + 1)), deeper, true, key, found);
    }
    return found;
  }

  /**
   * @param deeper how many levels of directories below this one are searched too
   * @param isRoot whether it must be readable; one below may belong to others
   */
  private void find(
      Path directory, int deeper, boolean isRoot, @Nullable String key, List<Path> found)
      throws IOException {
    if (!seen.add(directory) && deeper == 0) {
      return;
    }
    for (Path entry : entriesOf(directory, isRoot)) {
      boolean mayBe = isWanted(entry);
      if (!mayBe && deeper == 0) {
        continue;
      }
      if (++asked > LIMIT_ASKED || (key != null && !found.isEmpty())) {
        return;
      }
      FileInfo info = disk.stat(entry);
      if (mayBe && (key == null || isFile(info, key)) && !found.contains(entry)) {
        found.add(entry);
      }
      if (info != null && info.kind() == FileInfo.Kind.DIRECTORY && deeper > 0) {
        find(entry, deeper - 1, false, key, found);
      }
    }
  }

  private Iterable<Path> entriesOf(Path directory, boolean isRoot) throws IOException {
    if (disk.stat(directory) == null) {
      return Set.of();
    }
    try {
      return disk.list(directory);
    } catch (AccessDeniedException | NoSuchFileException | NotDirectoryException e) {
      if (isRoot) {
        throw e;
      }
      return Set.of();
    }
  }

  private static boolean isFile(@Nullable FileInfo info, String key) {
    return info != null && info.kind() == FileInfo.Kind.FILE && info.key().equals(key);
  }
}
