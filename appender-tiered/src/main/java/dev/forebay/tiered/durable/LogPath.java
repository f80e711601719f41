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
 * <p>In a directory that everybody may write to, the file must be ours alone: a hard link would
 * choose the file as well as a symbolic one, also a hard link to a symbolic link of ours, and the
 * file of a stranger would give the log away. The kernel sees to that only where {@code
 * fs.protected_hardlinks} and {@code fs.protected_regular} are set. Elsewhere both are in order:
 * backups make hard links, and a log may be prepared for us.
 *
 * <p>Directories are made by the process's umask, not private as {@link Disk#createDirectory} makes
 * them: those who may read the log today must be able to tomorrow.
 */
final class LogPath {
  private static final int LIMIT_LINKS = 16;
  private static final int ROOT = 0;
  private static final int UNKNOWN = -1;
  private static final int WRITABLE_BY_ALL = 0002;

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
      if (isStrangers(disk, info)) {
        throw new IOException(
            "the log file "
                + real
                + " is a symbolic link of user "
                + info.ownerId()
                + "; only a link of user "
                + disk.userId()
                + " or of root is followed");
      }
      if (info.links() > 1 && isShared(disk, real)) {
        throw new IOException(
            "the log file "
                + real
                + " is a symbolic link with "
                + info.links()
                + " names, in a directory that everybody can write to; required: one name");
      }
      path = directoryOf(real).resolve(Files.readSymbolicLink(real)).normalize();
    }
    throw new IOException(
        "the log file " + name + " is behind more than " + LIMIT_LINKS + " symbolic links");
  }

  /** Throws if a stranger may have put the file there for us to write to. */
  static void requireUnplanted(Disk disk, Path file, FileInfo info) throws IOException {
    if (info.links() <= 1 && !isStrangers(disk, info)) {
      return;
    }
    if (isShared(disk, file)) {
      String fault =
          info.links() > 1
              ? " has " + info.links() + " hard links"
              : " belongs to user " + info.ownerId();
      throw new IOException(
          "the log file "
              + file
              + fault
              + ", in a directory that everybody can write to; required: one link, of user "
              + disk.userId()
              + " or of root");
    }
  }

  /** Whether everybody may put a file beside this one. */
  private static boolean isShared(Disk disk, Path file) throws IOException {
    FileInfo directory = disk.stat(directoryOf(file));
    return directory != null && directory.mode() >= 0 && (directory.mode() & WRITABLE_BY_ALL) != 0;
  }

  private static boolean isStrangers(Disk disk, FileInfo info) {
    int owner = info.ownerId();
    return owner != UNKNOWN && owner != ROOT && owner != disk.userId();
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
