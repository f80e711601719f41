package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Resolves the name of a log file to the file that is written.
 *
 * <p>Links in the directories of the path are followed as usual. The log file itself may be a link
 * only if it belongs to this process's user or to root: otherwise another user could choose which
 * file we write to. It is followed here, step by step, because {@link Disk#open} refuses links.
 *
 * <p>In a world-writable directory, the file must be ours alone. A hard link would choose the file
 * just like a symbolic one, and so would a hard link to a symbolic link of ours; another user's
 * file would disclose the log. The kernel prevents this only if {@code fs.protected_hardlinks} and
 * {@code fs.protected_regular} are set. In other directories both are legitimate: backups create
 * hard links, and a log may be prepared for us.
 *
 * <p>Directories are created with the process's umask, not private as by {@link
 * Disk#createDirectory}: users who can read the log must still be able to after a roll into a new
 * directory.
 */
final class LogPath {
  private static final int LIMIT_LINKS = 16;
  private static final int ROOT = 0;
  private static final int UNKNOWN = -1;
  private static final int WRITABLE_BY_ALL = 0002;

  private LogPath() {}

  /** The file that a name leads to; its directory must exist, the file need not. */
  static Path resolve(Disk disk, String name) throws IOException {
    Path path = absolute(name);
    for (int links = 0; links <= LIMIT_LINKS; links++) {
      Path real = disk.realPath(directoryOf(path)).resolve(path.getFileName());
      FileInfo info = disk.stat(real);
      if (info == null || info.kind() == FileInfo.Kind.FILE) {
        return real;
      }
      if (info.kind() != FileInfo.Kind.LINK) {
        throw new IOException("the log file " + real + " is not a regular file but " + info.kind());
      }
      if (isStrangers(disk, info)) {
        throw new IOException(
            "the log file %s is a symbolic link owned by user %d; required: owner user %d or root"
                .formatted(real, info.ownerId(), disk.userId()));
      }
      if (info.links() > 1 && isShared(disk, real)) {
        throw new IOException(
            "the log file %s is a symbolic link with %d names in a world-writable directory; required: one name"
                .formatted(real, info.links()));
      }
      path = directoryOf(real).resolve(Files.readSymbolicLink(real));
    }
    throw new IOException(
        "the log file " + name + " leads through more than " + LIMIT_LINKS + " symbolic links");
  }

  /** As {@link #resolve}; a missing file is created, and no other process can have opened it. */
  static Path create(Disk disk, String name) throws IOException {
    createDirectories(disk, name);
    Path file = resolve(disk, name);
    FileInfo info = disk.stat(file);
    if (info == null) {
      disk.open(file, Disk.Mode.CREATE_PRIVATE).close();
    } else {
      requireUnplanted(disk, file, info);
    }
    return file;
  }

  /** Throws if another user may have planted the file. */
  static void requireUnplanted(Disk disk, Path file, FileInfo info) throws IOException {
    boolean isSuspect = info.links() > 1 || isStrangers(disk, info);
    if (isSuspect && isShared(disk, file)) {
      String fault =
          info.links() > 1
              ? "has " + info.links() + " hard links"
              : "belongs to user " + info.ownerId();
      throw new IOException(
          "the log file %s %s in a world-writable directory; required: one link, owner user %d or root"
              .formatted(file, fault, disk.userId()));
    }
  }

  /** Whether every user may put a file next to this one. */
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

  /** As the kernel takes it: {@code ..} after a link leads to the parent of the link's target. */
  static Path absolute(String name) throws IOException {
    try {
      return Path.of(name).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new IOException("the log file's name is not a valid path: " + e.getMessage(), e);
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
