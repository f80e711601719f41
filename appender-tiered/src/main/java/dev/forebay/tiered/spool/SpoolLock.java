package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive lock between processes, and between the class loaders of this one. The operating
 * system frees it when the last thread of its owner is gone, not earlier. Thread-safe.
 *
 * <p>The operating system's lock belongs to the whole process and is silently lost when any part of
 * it opens and closes the locked file. So there are two files: the claim is locked first, which the
 * JVM grants only once for all its class loaders, and only then is the lock file touched. The claim
 * itself can be lost to other processes in the same way; that is harmless, because the lock keeps
 * them out.
 */
public final class SpoolLock implements Closeable {
  private final Disk disk;
  private final Held claim;
  private final Held lock;

  /** Changed once, by the thread that creates a spool, when the directory gets its final name. */
  private volatile Path path;

  private SpoolLock(Disk disk, Path path, Held claim, Held lock) {
    this.disk = disk;
    this.path = path;
    this.claim = claim;
    this.lock = lock;
  }

  /**
   * Takes a lock, creating its files if they are missing.
   *
   * @return null if another holder has it
   * @throws IOException also if the path holds something other than a lock file of ours
   */
  public static @Nullable SpoolLock tryTake(Disk disk, Path path) throws IOException {
    Held claim = Held.tryTake(disk, claimOf(path));
    if (claim == null) {
      return null;
    }
    Held lock = null;
    try {
      lock = Held.tryTake(disk, path);
    } finally {
      if (lock == null) {
        claim.close();
      }
    }
    return lock == null ? null : new SpoolLock(disk, path, claim, lock);
  }

  /** The file next to a lock file that must be locked first. */
  private static Path claimOf(Path lock) {
    return lock.resolveSibling(SpoolNames.claim(SpoolNames.of(lock)));
  }

  /**
   * Deletes the files of a lock that the caller holds. The claim is deleted last: until then
   * nothing else in this process touches the lock file.
   */
  public static void delete(Disk disk, Path lock) throws IOException {
    disk.delete(lock);
    disk.delete(claimOf(lock));
  }

  /**
   * Whether the locked files are still at their paths; if one was deleted or replaced, another
   * process can take a lock of the same name.
   */
  public boolean isIntact() {
    try {
      return lock.isAt(disk, path) && claim.isAt(disk, claimOf(path));
    } catch (IOException e) {
      return false;
    }
  }

  /** Updates the path after the directory was renamed. */
  void movedTo(Path newPath) {
    path = newPath;
  }

  /** Frees the lock. A second call does nothing. */
  @Override
  public void close() {
    lock.close();
    claim.close();
  }

  /** One locked file. */
  private record Held(DiskFile file, String key) {

    static @Nullable Held tryTake(Disk disk, Path path) throws IOException {
      FileInfo found = disk.stat(path);
      DiskFile file = found == null ? create(disk, path) : openOurs(disk, path, found);
      if (file == null) {
        return null;
      }
      Held held = null;
      try {
        FileInfo opened = found == null ? disk.stat(path) : found;
        if (opened != null && file.tryLock()) {
          Held taken = new Held(file, opened.key());
          held = taken.isAt(disk, path) ? taken : null;
        }
      } finally {
        if (held == null) {
          file.close();
        }
      }
      return held;
    }

    private static @Nullable DiskFile create(Disk disk, Path path) throws IOException {
      try {
        return disk.open(path, Disk.Mode.CREATE_PRIVATE);
      } catch (FileAlreadyExistsException e) {
        return null; // another process is about to lock it
      }
    }

    private static DiskFile openOurs(Disk disk, Path path, FileInfo found) throws IOException {
      String fault = Trust.fileFault(found, disk.userId());
      if (fault != null) {
        throw new IOException(
            path + " " + fault + "; required: a lock file" + Trust.ofUser(disk.userId(), "0600"));
      }
      return disk.open(path, Disk.Mode.UPDATE);
    }

    boolean isAt(Disk disk, Path path) throws IOException {
      FileInfo now = disk.stat(path);
      return now != null && now.key().equals(key);
    }

    void close() {
      try {
        file.close();
      } catch (IOException e) {
        // Nothing was written; the descriptor is released either way.
      }
    }
  }
}
