package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * One spool while we hold its lock. Closing and discarding are for one thread, once the spool is no
 * longer in use.
 */
final class SpoolLease {
  private final Disk disk;
  private final InstanceId instance;
  private final SpoolLock lock;
  private final Path path;

  private boolean isClosed;

  /**
   * @param lock the spool's lock, held
   */
  SpoolLease(Disk disk, Path path, InstanceId instance, SpoolLock lock) {
    this.disk = disk;
    this.path = path;
    this.instance = instance;
    this.lock = lock;
  }

  Path path() {
    return path;
  }

  InstanceId instance() {
    return instance;
  }

  boolean isIntact() {
    return lock.isIntact();
  }

  /** Frees the lock; the files must be closed. Returns false if that was done before. */
  boolean close() {
    boolean isFirst = !isClosed;
    isClosed = true;
    lock.close();
    return isFirst;
  }

  /**
   * Deletes the spool, whose files must be closed. It is durably renamed first: from then on every
   * process takes it as shipped. If that fails, the spool stays locked, and the caller must try
   * again. Returns false if it was closed or deleted before.
   */
  boolean discard() throws IOException {
    if (isClosed) {
      return false;
    }
    Path done = path.resolveSibling(SpoolNames.DONE + SpoolNames.suffix(SpoolNames.of(path)));
    try {
      disk.move(path, done);
    } catch (NoSuchFileException e) {
      // Renamed by an earlier call, or removed by others.
    }
    try {
      disk.forceDirectory(path.resolveSibling(""));
    } catch (NoSuchFileException e) {
      // The whole directory was removed.
    }
    isClosed = true;
    try {
      deleteDirectory(disk, done);
    } catch (IOException e) {
      // Its name marks it as done; the next clean-up deletes the rest.
    } finally {
      lock.close();
    }
    return true;
  }

  /** Has the JVM delete what is there now after its last shutdown hook, the note first. */
  void deleteAtExit() throws IOException {
    disk.deleteAtExit(path);
    for (Path entry : disk.list(path)) {
      if (!SpoolNames.of(entry).equals(LogNote.NAME)) {
        disk.deleteAtExit(entry);
      }
    }
    disk.deleteAtExit(path.resolve(LogNote.NAME));
  }

  /** Deletes a directory and its files, the lock last; fails if it contains a directory. */
  static void deleteDirectory(Disk disk, Path directory) throws IOException {
    for (Path entry : disk.list(directory)) {
      if (!SpoolNames.isLock(SpoolNames.of(entry), SpoolNames.LOCK)) {
        disk.delete(entry);
      }
    }
    SpoolLock.delete(disk, directory.resolve(SpoolNames.LOCK));
    disk.delete(directory);
  }
}
