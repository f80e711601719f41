package dev.forebay.tiered.spool;

import java.nio.file.Path;

/** One segment file with content, as writer and reader see it. */
final class Segment {
  final long firstSequence;
  final Path path;

  /**
   * Sequence behind the last record once the writer has left this segment, -1 before and in the
   * segments of others. Written by the flusher's thread, read by the shipper's.
   */
  volatile long endSequence = -1;

  // Shipper's thread only.

  /** Whether something in the file was not as it should be. */
  boolean damaged;

  /** How often the disk has failed to read it. */
  int failedReads;

  Segment(long firstSequence, Path path) {
    this.firstSequence = firstSequence;
    this.path = path;
  }
}
