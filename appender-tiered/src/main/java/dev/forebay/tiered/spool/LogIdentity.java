package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.MountTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the log that spooled records are for: by the file system and the place in it that the
 * configured path leads to. The path alone is not enough, since it means another file in another
 * container. The log and its directories need not exist. Immutable.
 */
public final class LogIdentity {
  private static final Path ROOT = Path.of("/");
  private static final int KEY_DIGITS = 32;

  private final Path path;
  private final String fileName;
  private final String key;
  private final String directoryKey;

  /**
   * @param place as {@link MountTable#find} tells it
   */
  private LogIdentity(Path path, String place) {
    int name = place.lastIndexOf('/') + 1;
    this.path = path;
    this.fileName = place.substring(name);
    this.key = hash(place);
    this.directoryKey = hash(place.substring(0, name));
  }

  /**
   * Resolves the links in the log's directories, but not a link at its own name. May wait as long
   * as the log's disk does.
   *
   * @param log the file, or a file name pattern
   */
  public static LogIdentity of(Disk disk, Path log) {
    Path absolute = log.toAbsolutePath();
    return of(disk, absolute, withoutLinks(disk, absolute));
  }

  /** Like {@link #of(Disk, Path)}, but resolves no links, and so waits for no disk. */
  public static LogIdentity unresolved(Disk disk, Path log) {
    Path absolute = log.toAbsolutePath();
    return of(disk, absolute, absolute);
  }

  private static LogIdentity of(Disk disk, Path path, Path real) {
    String place = MountTable.read().find(real);
    return new LogIdentity(path, place == null ? rootOf(disk) + " " + real : place);
  }

  /** The root directory's key, used if no mount is known, for example after a chroot. */
  private static String rootOf(Disk disk) {
    try {
      FileInfo root = disk.stat(ROOT);
      return root == null ? "" : root.key();
    } catch (IOException e) {
      return "";
    }
  }

  private static Path withoutLinks(Disk disk, Path absolute) {
    for (Path existing = absolute.getParent(); existing != null; existing = existing.getParent()) {
      try {
        Path missing = absolute.subpath(existing.getNameCount(), absolute.getNameCount());
        return disk.realPath(existing).resolve(missing).normalize(); // no links are made there
      } catch (NoSuchFileException e) {
        // It will be created; its parent decides.
      } catch (IOException e) {
        return absolute;
      }
    }
    return absolute;
  }

  /** The configured path, for messages. */
  public Path path() {
    return path;
  }

  public String fileName() {
    return fileName;
  }

  /** Identifies the log in the name of its spool directory. */
  String key() {
    return key;
  }

  static boolean isKey(String name) {
    return name.length() == KEY_DIGITS && SpoolNames.isHex(name, 0, KEY_DIGITS);
  }

  /** Identifies the log's directory: equal for logs in the same directory. */
  public String directoryKey() {
    return directoryKey;
  }

  private static String hash(String place) {
    byte[] hash = Sha256.of(place.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, hash.length / 2);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogIdentity log && key.equals(log.key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
