package dev.forebay.tiered.spool;

import java.io.IOException;
import java.nio.file.Path;

/** One segment file with content, shared by writer and reader. */
public final class Segment {
  public final long firstSequence;
  public final Path path;

  /**
   * Sequence after the last record once the writer has left this segment; -1 before, and in
   * segments of other processes. Written by the flusher's thread, read by the shipper's.
   */
  public volatile long endSequence = -1;

  // In a loop only: the flusher's thread, and log calls in their turn.

  /** When it was begun, nanoseconds of the monotonic clock. */
  long sinceNs;

  /** Records in it that count when they expire. */
  long counted;

  // Shipper's thread only.

  public boolean damaged;

  int failedReads;

  public Segment(long firstSequence, Path path) {
    this.firstSequence = firstSequence;
    this.path = path;
  }

  /** Counts a failed read, unless there was no memory for it: then the file may be fine. */
  void readFailed(IOException cause) {
    if (!(cause.getCause() instanceof OutOfMemoryError)) {
      failedReads++;
    }
  }
}
