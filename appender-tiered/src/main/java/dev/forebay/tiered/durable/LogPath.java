package dev.forebay.tiered.durable;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * From the name of a log file to the place where its bytes go.
 *
 * <p>Links in the directories of the path are followed, as everywhere. The log file itself may be a
 * link only if it belongs to this process's user or to root: a link that somebody else can put into
 * a shared directory would choose which file we write to. Following happens here, step by step,
 * because {@link Disk#open} refuses links.
 *
 * <p>Directories are made by the process's umask, not private as {@link Disk#createDirectory} makes
 * them: those who may read the log today must be able to tomorrow.
 */
final class LogPath {
  private static final int LIMIT_LINKS = 16;
  private static final int ROOT = 0;
  private static final int UNKNOWN = -1;

  private LogPath() {}

  /** The file that a name leads to, which need not exist; its directory does. */
  static Path resolve(Disk disk, String name) throws IOException {
    Path path = absolute(name);
    for (int links = 0; links <= LIMIT_LINKS; links++) {
      Path real = disk.realPath(directoryOf(path)).resolve(path.getFileName());
      FileInfo info = disk.stat(real);
      if (info == null || info.kind() == FileInfo.Kind.FILE) {
        return real;
      }
      if (info.kind() != FileInfo.Kind.LINK) {
        throw new IOException("the log file " + real + " is no regular file but " + info.kind());
      }
      int own = disk.userId();
      if (info.ownerId() != UNKNOWN && info.ownerId() != ROOT && info.ownerId() != own) {
        throw new IOException(
            "the log file "
                + real
                + " is a symbolic link of user "
                + info.ownerId()
                + "; only a link of user "
                + own
                + " or of root is followed");
      }
      path = directoryOf(real).resolve(Files.readSymbolicLink(real)).normalize();
    }
    throw new IOException(
        "the log file " + name + " is behind more than " + LIMIT_LINKS + " symbolic links");
  }

  /** Creates the missing directories above a file and makes them durable. */
  static void createDirectories(Disk disk, String name) throws IOException {
    Path directory = directoryOf(absolute(name));
    Path existing = directory;
    while (!Files.isDirectory(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    if (existing.equals(directory)) {
      return;
    }
    Files.createDirectories(directory);
    for (Path made = directory; !made.equals(existing); made = directoryOf(made)) {
      disk.forceDirectory(directoryOf(made));
    }
  }

  static Path absolute(String name) throws IOException {
    try {
      return Path.of(name).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new IOException("the log file's name is no path: " + e.getMessage(), e);
    }
  }

  private static Path directoryOf(Path path) throws IOException {
    Path directory = path.getParent();
    if (directory == null) {
      throw new IOException("the log file " + path + " is the root directory");
    }
    return directory;
  }
}
