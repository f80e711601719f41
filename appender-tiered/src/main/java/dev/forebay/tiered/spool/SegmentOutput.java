package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file of the segment being written, opened when needed. For the flusher's thread, or a log
 * call in its turn.
 */
final class SegmentOutput {
  private final Disk disk;
  private @Nullable DiskFile file;

  /** Set permanently once the file being written was found removed; read by any thread. */
  private volatile boolean isGone;

  SegmentOutput(Disk disk) {
    this.disk = disk;
  }

  /** Writes to the segment at {@code path}; the same one until {@link #close}. */
  int write(Path path, ByteBuffer source, long position) throws IOException {
    DiskFile open = file;
    if (open == null) {
      try {
        open = disk.open(path, Disk.Mode.UPDATE_BY_CALLS);
      } catch (NoSuchFileException e) {
        isGone = true;
        throw e;
      }
      file = open;
    }
    return open.write(source, position);
  }

  /** Whether a file to write to was found missing. For any thread. */
  boolean isGone() {
    return isGone;
  }

  void close() {
    DiskFile open = file;
    file = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // Accepted bytes are counted; the reader's checksums reveal those that were not stored.
      }
    }
  }
}
