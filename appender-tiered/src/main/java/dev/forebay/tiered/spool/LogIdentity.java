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
  private final String device;
  private final String directory;
  private final String fileName;
  private final String key;

  private LogIdentity(Path path, String device, String directory, String fileName) {
    this.path = path;
    this.device = device;
    this.directory = directory;
    this.fileName = fileName;
    this.key = hash(device, directory + fileName);
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
    MountTable.Place place = MountTable.read().find(real);
    String device = place == null ? rootOf(disk) : place.device();
    String within = place == null ? real.toString() : place.path();
    int slash = within.lastIndexOf('/');
    return new LogIdentity(
        path, device, within.substring(0, slash + 1), within.substring(slash + 1));
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

  /** The last element of its path. */
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
    return hash(device, directory);
  }

  private static String hash(String device, String within) {
    byte[] hash = Sha256.of((device + " " + within).getBytes(StandardCharsets.UTF_8));
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
