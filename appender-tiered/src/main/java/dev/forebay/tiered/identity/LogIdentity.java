package dev.forebay.tiered.identity;

import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.MountTable;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the log that spooled records are for: by the file system and the place in it that the
 * configured path leads to. The path alone is not enough, since it means another file in another
 * container. The log and its directories need not exist.
 *
 * @param path as configured, for messages
 * @param fileName the log's name there
 * @param key identifies the log in the name of its spool directory
 * @param directoryKey identifies the log's directory: equal for logs in the same directory
 * @param hasAttributes whether its records begin with attributes of the event
 */
public record LogIdentity(
    Path path, String fileName, String key, String directoryKey, boolean hasAttributes) {
  private static final Path ROOT = Path.of("/");
  private static final int KEY_DIGITS = 32;

  /** A log's directory and its key: most logs of a process have the same. */
  private static volatile String[] lastHashed = {"", ""};

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

  /** The identity of a target that is not a file: equal for one program with the same slot. */
  public static LogIdentity ofTarget(
      String title, String target, boolean hasAttributes, String slot) {
    Path path;
    try {
      path = Path.of(Printable.text(title)); // a line end would spoil the note in the spool
    } catch (InvalidPathException e) { // of a directory with a name that this locale has not
      path = Path.of("");
    }
    return new LogIdentity(
        path, "", hash("stream " + target + "\n" + slot), hash("stream " + target), hasAttributes);
  }

  private static LogIdentity of(Disk disk, Path path, Path real) {
    String found = MountTable.read().find(real);
    String place =
        found == null
            ? rootOf(disk) + " " + real.toString().replace(File.separatorChar, '/')
            : found;
    int name = place.lastIndexOf('/') + 1;
    String directory = place.substring(0, name);
    String[] last = lastHashed;
    if (!last[0].equals(directory)) {
      last = new String[] {directory, hash(directory)};
      lastHashed = last;
    }
    return new LogIdentity(path, place.substring(name), hash(place), last[1], false);
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
        // The directory will be created; its parent decides.
      } catch (IOException e) {
        return absolute;
      }
    }
    return absolute;
  }

  public static boolean isKey(String name) {
    return name.length() == KEY_DIGITS && InstanceId.isHex(name, 0, KEY_DIGITS);
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
