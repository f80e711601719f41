package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks whether a file or directory was created by us, before it is opened. */
public final class Trust {
  private static final int PERMISSION_BITS = 0777;
  private static final int PRIVATE_DIRECTORY = 0700;
  private static final int OTHERS = 0077;
  private static final int READ_WRITE = 0600;

  private static final Set<PosixFilePermission> DIRECTORY_RIGHTS =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE_RIGHTS =
      PosixFilePermissions.fromString("rw-------");

  private Trust() {}

  /** What is wrong with a directory that should be private to a user; null if nothing is. */
  public static @Nullable String directoryFault(FileInfo info, int userId) {
    int mode = info.mode();
    boolean isOpen = mode >= 0 && (mode & PERMISSION_BITS) != PRIVATE_DIRECTORY;
    return fault(info, userId, FileInfo.Kind.DIRECTORY, isOpen);
  }

  private static @Nullable String fault(
      FileInfo info, int userId, FileInfo.Kind kind, boolean isModeWrong) {
    if (info.kind() != kind) {
      return kindOf(info);
    }
    if (isForeign(info, userId)) {
      return "belongs to user " + info.ownerId();
    }
    return isModeWrong ? "has mode " + octal(info.mode()) : null;
  }

  /** What {@link #directoryFault} requires, for messages. */
  public static String requiredDirectory(int userId) {
    return "a directory" + ofUser(userId, "0700");
  }

  /** What {@link #fileFault} requires in addition to the kind, for messages. */
  public static String ofUser(int userId, String mode) {
    return userId < 0 ? "" : " of user " + userId + " with mode " + mode;
  }

  /** What is wrong with a file that should be private to a user; null if nothing is. */
  public static @Nullable String fileFault(FileInfo info, int userId) {
    int mode = info.mode();
    boolean isOpen = mode >= 0 && ((mode & OTHERS) != 0 || (mode & READ_WRITE) != READ_WRITE);
    String fault = fault(info, userId, FileInfo.Kind.FILE, isOpen);
    return fault == null && info.links() > 1 ? "has " + info.links() + " hard links" : fault;
  }

  /** As {@link #directoryFault(FileInfo, int)} after rights to what is ours are taken back. */
  public static @Nullable String directoryFault(Disk disk, Path directory, FileInfo info)
      throws IOException {
    return directoryFault(takenBack(disk, directory, info), disk.userId());
  }

  /** As {@link #fileFault(FileInfo, int)} after rights to what is ours are taken back. */
  public static @Nullable String fileFault(Disk disk, Path file, FileInfo info) throws IOException {
    return fileFault(takenBack(disk, file, info), disk.userId());
  }

  /**
   * Only root and our user can have given other users rights to our files: Kubernetes does so for a
   * volume with an {@code fsGroup}, each time a pod starts.
   */
  private static FileInfo takenBack(Disk disk, Path path, FileInfo info) throws IOException {
    boolean isDirectory = info.kind() == FileInfo.Kind.DIRECTORY;
    boolean isOurs =
        info.ownerId() == disk.userId() && (isDirectory || isOwnFile(info, disk.userId(), 1));
    if (info.mode() < 0 || (info.mode() & OTHERS) == 0 || !isOurs) {
      return info;
    }
    for (Path entry : isDirectory ? disk.list(path) : List.<Path>of()) {
      FileInfo inside = disk.stat(entry);
      if (inside != null && isForeign(inside, disk.userId())) {
        return info; // other users have used them
      }
    }
    try {
      boolean unused = disk.setPermissions(path, isDirectory ? DIRECTORY_RIGHTS : FILE_RIGHTS);
    } catch (FileSystemException e) {
      return info; // and so a fault
    }
    FileInfo now = disk.stat(path);
    return now == null ? info : now;
  }

  /** Whether it is a plain file of this user, with no more names than these, whatever its mode. */
  public static boolean isOwnFile(FileInfo info, int userId, int names) {
    return info.kind() == FileInfo.Kind.FILE && !isForeign(info, userId) && info.links() <= names;
  }

  /** The users who can write there, for messages. */
  public static String rights(FileInfo info) {
    return "belongs to user %d and has mode %s".formatted(info.ownerId(), octal(info.mode()));
  }

  public static boolean isForeign(FileInfo info, int userId) {
    return userId >= 0 && info.ownerId() >= 0 && info.ownerId() != userId;
  }

  /** What kind of file it is, for messages. */
  public static String kindOf(FileInfo info) {
    return switch (info.kind()) {
      case FILE -> "is a file";
      case DIRECTORY -> "is a directory";
      case LINK -> "is a symbolic link";
      case OTHER -> "is a pipe, socket or device";
    };
  }

  private static String octal(int mode) {
    return String.format(Locale.ROOT, "%04o", mode);
  }
}
