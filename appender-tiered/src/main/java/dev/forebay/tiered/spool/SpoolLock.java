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
 * system frees it when the last thread of its owner is gone, and not earlier. Safe for any thread.
 */
public final class SpoolLock implements Closeable {
  private final Disk disk;
  private final DiskFile file;
  private final String fileKey;
  private final LockRegistry.Claim claim;

  /** Changed once, by the thread that creates a spool, when the directory gets its final name. */
  private volatile Path path;

  private SpoolLock(Disk disk, Path path, DiskFile file, String fileKey, LockRegistry.Claim claim) {
    this.disk = disk;
    this.path = path;
    this.file = file;
    this.fileKey = fileKey;
    this.claim = claim;
  }

  /**
   * Takes a lock, creating its file where there is none.
   *
   * @param name identity of the lock within this process, the same whatever the directory is called
   *     by now
   * @return null when somebody else holds it
   * @throws IOException also when what stands at the path is not a lock file of ours
   */
  public static @Nullable SpoolLock tryTake(Disk disk, Path path, String name) throws IOException {
    LockRegistry.Claim claim = LockRegistry.claim(name);
    if (claim == null) {
      return null;
    }
    SpoolLock lock = null;
    try {
      lock = lock(disk, path, claim);
    } finally {
      if (lock == null) {
        claim.release();
      }
    }
    return lock;
  }

  private static @Nullable SpoolLock lock(Disk disk, Path path, LockRegistry.Claim claim)
      throws IOException {
    FileInfo found = disk.stat(path);
    DiskFile file = found == null ? create(disk, path) : openOurs(disk, path, found);
    if (file == null) {
      return null;
    }
    SpoolLock lock = null;
    try {
      FileInfo opened = found == null ? disk.stat(path) : found;
      if (opened != null && file.tryLock()) {
        SpoolLock taken = new SpoolLock(disk, path, file, opened.key(), claim);
        lock = taken.isIntact() ? taken : null;
      }
    } finally {
      if (lock == null) {
        file.close();
      }
    }
    return lock;
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

  /**
   * Whether the locked file still stands at its path; where it was deleted or replaced, somebody
   * else can take a lock of the same name.
   */
  public boolean isIntact() {
    try {
      FileInfo now = disk.stat(path);
      return now != null && now.key().equals(fileKey);
    } catch (IOException e) {
      return false;
    }
  }

  /** Tells the lock that its directory was renamed. */
  void movedTo(Path newPath) {
    path = newPath;
  }

  /** Frees the lock. A second call does nothing. */
  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      // Nothing was written; the descriptor is gone either way.
    }
    claim.release();
  }
}
