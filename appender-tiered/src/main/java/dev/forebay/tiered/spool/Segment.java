package dev.forebay.tiered.spool;

import java.io.IOException;
import java.nio.file.Path;

/** One segment file with content, shared by writer and reader. */
final class Segment {
  final long firstSequence;
  final Path path;

  /** Where its lines begin, if it is a file of the JVM's log; -1 if it has frames. */
  final int linesFrom;

  /**
   * Sequence after the last record once the writer has left this segment; -1 before, and in
   * segments of other processes. Written by the flusher's thread, read by the shipper's.
   */
  volatile long endSequence = -1;

  // Shipper's thread only.

  /** Whether damage was found in the file. */
  boolean damaged;

  /** How often reading it failed. */
  int failedReads;

  Segment(long firstSequence, Path path) {
    this(firstSequence, path, -1);
  }

  Segment(long firstSequence, Path path, int linesFrom) {
    this.firstSequence = firstSequence;
    this.path = path;
    this.linesFrom = linesFrom;
  }

  /** Counts a failed read, unless there was no memory for it: then the file may be fine. */
  void readFailed(IOException cause) {
    if (!(cause.getCause() instanceof OutOfMemoryError)) {
      failedReads++;
    }
  }
}
