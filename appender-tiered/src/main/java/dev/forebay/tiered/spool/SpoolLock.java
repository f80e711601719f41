package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.ProcessClaim;
import dev.forebay.tiered.disk.Trust;
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
 * it opens and closes the locked file. So the file is touched only with a {@link ProcessClaim} to
 * it.
 */
public final class SpoolLock implements Closeable {
  private final Disk disk;
  private final AutoCloseable claim;
  private final DiskFile file;
  private final String key;
  private final Path path;

  private SpoolLock(Disk disk, Path path, AutoCloseable claim, DiskFile file, String key) {
    this.disk = disk;
    this.path = path;
    this.claim = claim;
    this.file = file;
    this.key = key;
  }

  /** Takes it, creating the file; null if another has it. Throws if another file is there. */
  public static @Nullable SpoolLock tryTake(Disk disk, Path path) throws IOException {
    AutoCloseable claim = ProcessClaim.tryTake(disk, path);
    if (claim == null) {
      return null;
    }
    DiskFile file = null;
    SpoolLock taken = null;
    try {
      FileInfo found = disk.stat(path);
      file = found == null ? create(disk, path) : openOurs(disk, path, found);
      FileInfo opened = found == null ? disk.stat(path) : found;
      if (file != null && opened != null && file.tryLock()) {
        SpoolLock lock = new SpoolLock(disk, path, claim, file, opened.key());
        taken = lock.isAtPath() ? lock : null;
      }
    } finally {
      if (taken == null) {
        close(file);
        close(claim);
      }
    }
    return taken;
  }

  private static @Nullable DiskFile create(Disk disk, Path path) throws IOException {
    try {
      return disk.open(path, Disk.Mode.CREATE_PRIVATE);
    } catch (FileAlreadyExistsException e) {
      return null; // another process is about to lock it
    }
  }

  private static DiskFile openOurs(Disk disk, Path path, FileInfo found) throws IOException {
    String fault = Trust.fileFault(disk, path, found);
    if (fault != null) {
      throw new IOException(
          path + " " + fault + "; required: a lock file" + Trust.ofUser(disk.userId(), "0600"));
    }
    return disk.open(path, Disk.Mode.UPDATE);
  }

  /**
   * Whether the locked file is still at its path; if it was deleted or replaced, another process
   * can take a lock of the same name.
   */
  public boolean isIntact() {
    try {
      return isAtPath();
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isAtPath() throws IOException {
    FileInfo now = disk.stat(path);
    return now != null && now.key().equals(key);
  }

  /**
   * To be called before its file is renamed or deleted: where what is open cannot be, frees it for
   * other processes.
   */
  void letGo() {
    if (!disk.movesOpenFiles()) {
      close(file);
    }
  }

  /** Frees the lock. A second call does nothing. */
  @Override
  public void close() {
    close(file);
    close(claim);
  }

  /** Closes a lock, or a part of one, if there is one. */
  public static void close(@Nullable AutoCloseable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (Exception e) {
      // Nothing was written; descriptor and claim are released either way.
    }
  }
}
