package dev.forebay.tiered.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Set;

/**
 * Which process holds the lock of a file, found without taking the lock: Linux lists the POSIX
 * locks of all processes that the reader can see.
 *
 * @param pid the process; 0 if none holds it, or one in a container that we cannot see into
 */
public record LockOwner(boolean isHeld, long pid) {

  private static final Path LOCKS = Path.of("/proc/locks");
  private static final LockOwner NOBODY = new LockOwner(false, 0);
  private static final LockOwner UNSEEN = new LockOwner(true, 0);

  // Fields of a line, see proc_locks(5).
  private static final int FORM = 1;
  private static final int MODE = 3;
  private static final int PID = 4;
  private static final int FILE = 5;
  private static final int FIELDS = 6;

  /**
   * The owner of a file's exclusive lock.
   *
   * <p>If none is listed, asks for a shared lock for a moment, since the owner may be in another
   * container. So this must not be called in a process that holds locks itself: it would lose them.
   */
  public static LockOwner of(Path file) throws IOException {
    LockOwner listed = listed(file);
    return listed.isHeld || isFree(file) ? listed : UNSEEN;
  }

  /** As {@link #of}, but never asks for a lock: misses an owner in another container. */
  public static LockOwner listed(Path file) throws IOException {
    if (!Files.exists(LOCKS)) {
      return NOBODY; // no Linux: whom the lock belongs to is not known
    }
    try {
      long device = (Long) Files.getAttribute(file, "unix:dev", LinkOption.NOFOLLOW_LINKS);
      long inode = (Long) Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
      return listed(SystemFile.read(LOCKS), device, inode);
    } catch (NoSuchFileException e) {
      return NOBODY;
    }
  }

  private static boolean isFree(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return true; // opening a pipe would wait
    }
    Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(file, options);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock != null;
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  static LockOwner listed(String locks, long device, long inode) {
    long major = device >>> 8 & 0xfff;
    long minor = device & 0xff | device >>> 12 & 0xfff00;
    String file = String.format(Locale.ROOT, "%02x:%02x:%d", major, minor, inode);
    for (String line : locks.split("\n", -1)) {
      String[] fields = line.trim().split("\\s+", -1);
      if (fields.length > FIELDS
          && fields[FORM].equals("POSIX")
          && fields[MODE].equals("WRITE")
          && fields[FILE].equals(file)) {
        return new LockOwner(true, Math.max(0, Long.parseLong(fields[PID])));
      }
    }
    return NOBODY;
  }
}
