package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogNote;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One spool while we hold its lock. Closing and discarding are for one thread, once the spool is no
 * longer in use.
 */
public final class SpoolLease implements Closeable {
  public final Path path;
  final InstanceId instance;
  private final Disk disk;

  /** Null if another process has it. */
  private final @Nullable SpoolLock lock;

  private volatile boolean isClosed;

  /** Of a path that is named like a spool, and its lock, which is held. */
  SpoolLease(Disk disk, Path path, @Nullable SpoolLock lock) {
    this.disk = disk;
    this.path = path;
    this.instance = SpoolNames.instance(path);
    this.lock = lock;
  }

  /** Of a spool that another process owns: nothing can be done with it but read. */
  static SpoolLease foreign(Disk disk, Path path) {
    return new SpoolLease(disk, path, null);
  }

  /** Whether it is not closed or discarded. Any thread. */
  boolean isOpen() {
    return !isClosed;
  }

  public boolean isIntact() {
    return lock != null && lock.isIntact();
  }

  /** Frees the lock; the files must be closed. */
  @Override
  public void close() {
    isClosed = true;
    SpoolLock.close(lock);
  }

  /**
   * Deletes the spool, whose files are not used any more, unless it was closed or deleted before.
   * It is durably renamed first: from then on every process takes it as shipped. If that fails, the
   * spool stays locked, and the caller must try again.
   */
  void discard() throws IOException {
    SpoolLock held = lock;
    if (isClosed || held == null) {
      return;
    }
    Path done = path.resolveSibling(SpoolNames.DONE + SpoolNames.suffix(SpoolNames.of(path)));
    held.letGo();
    try {
      disk.move(path, done);
    } catch (IOException e) {
      if (!disk.isGone(path)) { // else renamed by an earlier call, or out of reach
        throw e;
      }
    }
    try {
      disk.forceDirectory(path.resolveSibling(""));
    } catch (IOException e) {
      if (!disk.isGone(path.resolveSibling(""))) {
        throw e;
      }
    }
    isClosed = true;
    try {
      deleteDirectory(disk, done);
    } catch (IOException e) {
      // Its name marks it as done; the next clean-up deletes the rest.
    } finally {
      held.close();
    }
  }

  /** Deletes one that could not be completed, as far as that is possible, and frees the lock. */
  void undo() {
    try {
      delete();
    } catch (IOException e) {
      // Whoever ships finds it empty.
    } finally {
      close();
    }
  }

  void delete() throws IOException {
    Objects.requireNonNull(lock, "a lock").letGo();
    deleteDirectory(disk, path);
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
  public static void deleteDirectory(Disk disk, Path directory) throws IOException {
    for (Path entry : disk.list(directory)) {
      if (!SpoolNames.of(entry).equals(SpoolNames.LOCK)) {
        disk.delete(entry);
      }
    }
    disk.delete(directory.resolve(SpoolNames.LOCK));
    disk.delete(directory);
  }

  /** When a file of a spool or loop was last written, milliseconds since the epoch. */
  public static long lastWrittenMs(Disk disk, Path spool) throws IOException {
    long newest = 0;
    for (Path file : disk.list(spool)) {
      FileInfo info = disk.stat(file);
      if (info != null && info.kind() == FileInfo.Kind.FILE) { // not the socket
        newest = Math.max(newest, info.modifiedMs());
      }
    }
    return newest;
  }
}
