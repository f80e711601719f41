package dev.forebay.tiered.overflow;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.identity.LogNote;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a spool to which nothing is added, in another directory for the same log. It has the
 * spool's own name, by which a copy of what still exists is known; until it is {@linkplain #publish
 * published}, one that is no spool's. For one thread, which waits as long as the disk does.
 */
final class SpoolCopy implements Closeable {

  private static final int CHUNK_BYTES = 256 * 1024;

  private final Spool from;
  private final SpoolDirectory to;
  private final Disk disk;
  private final Path hidden;
  private final Path visible;
  private @Nullable SpoolLock lock;
  private boolean isPublished;

  /** Creates nothing yet. */
  SpoolCopy(Spool from, SpoolDirectory to) {
    String suffix = SpoolNames.suffix(SpoolNames.of(from.path()));
    this.from = from;
    this.to = to;
    this.disk = to.disk();
    this.hidden = to.path().resolve(SpoolNames.NEW + suffix);
    this.visible = to.path().resolve(SpoolNames.SPOOL + suffix);
  }

  /** Writes and forces all segments; false if the copy is no longer wanted. */
  boolean write(BooleanSupplier isWanted) throws IOException {
    if (disk.stat(visible) != null) { // the directory may be the spool's own, by another path
      throw new FileAlreadyExistsException(visible.toString());
    }
    disk.createDirectory(hidden);
    try {
      lock = SpoolLock.tryTake(disk, SpoolNames.lock(hidden));
    } finally {
      if (lock == null) { // there are no inodes left, or another process is about to delete it
        try {
          disk.delete(hidden);
        } catch (IOException e) {
          // The next process that opens the directory tries again.
        }
      }
    }
    if (lock == null) {
      throw new IOException("cannot lock " + hidden);
    }
    ByteBuffer chunk = Disk.buffer(CHUNK_BYTES);
    for (Path file : from.directory().disk().list(from.path())) {
      String name = SpoolNames.of(file);
      boolean isWhole =
          (SpoolNames.firstSequence(name) < 0 && !name.equals(LogNote.NAME))
              || copy(file, hidden.resolve(name), chunk, isWanted);
      if (!isWhole) {
        return false;
      }
    }
    disk.forceDirectory(hidden);
    return isWanted.getAsBoolean();
  }

  private boolean copy(Path file, Path copy, ByteBuffer chunk, BooleanSupplier isWanted)
      throws IOException {
    try (DiskFile source = from.directory().disk().open(file, Disk.Mode.READ);
        DiskFile target = disk.open(copy, Disk.Mode.CREATE_PRIVATE)) {
      int position = 0;
      for (int bytes = -1; bytes != 0; position += bytes) {
        boolean unused = source.readFully(chunk.clear(), position);
        bytes = chunk.flip().remaining();
        if (bytes > 0 && !isWanted.getAsBoolean()) {
          return false;
        }
        target.writeFully(chunk, position);
      }
      target.force();
      return true;
    }
  }

  /**
   * Gives the copy the spool's name. If this throws, the copy may have the name all the same: if
   * that is unknown, it {@link #isPublished} until {@link #isThere} says no.
   */
  void publish() throws IOException {
    try {
      disk.move(hidden, visible);
      isPublished = true;
    } catch (IOException e) {
      isPublished = true; // the answer may have got lost
      if (!isThere()) {
        throw e;
      }
    }
    try {
      disk.forceDirectory(to.path());
    } catch (IOException e) {
      // Only a power cut could take the name back, and it takes what was in memory anyway.
    }
  }

  boolean isPublished() {
    return isPublished;
  }

  /** Checks whether the copy has the spool's name: another process may have removed it. */
  boolean isThere() throws IOException {
    isPublished = disk.stat(visible) != null;
    return isPublished;
  }

  /**
   * Its records, once it is published.
   *
   * @param limit the sequence after the last one
   */
  RecordSource source(long limit) throws IOException {
    return to.adopt(visible, Objects.requireNonNull(lock, "not written"), limit);
  }

  /** Frees the copy's lock, so that the next start may take it over. */
  void release() {
    SpoolLock.close(lock);
    lock = null;
  }

  /** Deletes the copy if it was not published. */
  @Override
  public void close() throws IOException {
    if (lock == null || isPublished) {
      return;
    }
    try {
      SpoolLease.deleteDirectory(disk, hidden);
    } finally {
      release();
    }
  }
}
