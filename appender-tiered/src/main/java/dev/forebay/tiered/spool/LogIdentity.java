package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.MountTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which log spooled records are for: not the path it is configured with, which means another file
 * in another container, but the file system and the place in it that the path leads to. The log and
 * its directories need not exist. Immutable.
 */
public final class LogIdentity {
  private static final Path ROOT = Path.of("/");
  private static final Pattern KEY = Pattern.compile("[0-9a-f]{32}");

  private final Path path;
  private final String device;
  private final String directory;
  private final String fileName;

  private LogIdentity(Path path, String device, String directory, String fileName) {
    this.path = path;
    this.device = device;
    this.directory = directory;
    this.fileName = fileName;
  }

  /**
   * Follows the links in the log's directories; a link at its own name stays one. May wait as long
   * as the log's disk does.
   *
   * @param log the file, or the pattern of the names of files
   */
  public static LogIdentity of(Disk disk, Path log) {
    Path absolute = log.toAbsolutePath().normalize();
    return of(disk, absolute, withoutLinks(disk, absolute));
  }

  /** As {@link #of(Disk, Path)}, but takes no directory for a link, and so waits for no disk. */
  public static LogIdentity unresolved(Disk disk, Path log) {
    Path absolute = log.toAbsolutePath().normalize();
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

  /** Where no mount is known, as in a change of the root directory: that directory itself. */
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
        return disk.realPath(existing).resolve(existing.relativize(absolute));
      } catch (NoSuchFileException e) {
        // It will be made; what stands above it decides.
      } catch (IOException e) {
        return absolute;
      }
    }
    return absolute;
  }

  /** The path it is configured with, for messages. */
  public Path path() {
    return path;
  }

  /** The last element of its path. */
  public String fileName() {
    return fileName;
  }

  /** Stands for the log in the name of a directory. */
  String key() {
    return hash(device, directory + fileName);
  }

  static boolean isKey(String name) {
    return KEY.matcher(name).matches();
  }

  /** Stands for the log's directory: equal for logs beside each other. */
  public String directoryKey() {
    return hash(device, directory);
  }

  private static String hash(String device, String within) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] hash = sha256.digest((device + " " + within).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, hash.length / 2);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogIdentity log && key().equals(log.key());
  }

  @Override
  public int hashCode() {
    return key().hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
