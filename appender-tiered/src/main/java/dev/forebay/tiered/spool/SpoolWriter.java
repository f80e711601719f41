package dev.forebay.tiered.spool;

import java.io.IOException;

/**
 * Puts records into a spool. For the flusher's thread only, except {@link #publishedSequence}.
 *
 * <p>Records are collected in a staging buffer and written by {@link #flush}, or earlier when the
 * buffer is full. When the file system refuses, nothing is lost: the bytes stay staged, {@link
 * #append} says {@code FULL}, and the next flush continues at the exact byte.
 */
public final class SpoolWriter {
  SpoolWriter() {}

  /** What became of a record. */
  public enum Outcome {
    /** It is staged or written. */
    ADDED,
    /**
     * It was not taken: the cap is reached, or the file system refuses; {@link #flush} then throws
     * the reason.
     */
    FULL,
    /** It was not taken and never will be: it is longer than {@link #maxPayloadBytes}. */
    TOO_LARGE
  }

  /**
   * Takes one record. May write to the file system; never throws for its failures.
   *
   * @param level 0 (TRACE) to 4 (ERROR)
   */
  public Outcome append(byte[] payload, int offset, int length, int level) {
    throw new UnsupportedOperationException();
  }

  /**
   * Writes what is staged and publishes it to the reader. To be called after every batch, and while
   * {@link #isReady} is false from time to time, because only a flush finds out that the file
   * system works again.
   */
  public void flush() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether {@link #append} would take a small record, and the one it refused last. False at the
   * cap until the reader releases a segment, and after a failure until a flush succeeds.
   */
  public boolean isReady() {
    throw new UnsupportedOperationException();
  }

  /** Sequence of the next record; the number of records added so far. */
  public long nextSequence() {
    throw new UnsupportedOperationException();
  }

  /** Records below this sequence are written and readable. For any thread. */
  public long publishedSequence() {
    throw new UnsupportedOperationException();
  }

  /** Length of the largest record a segment can hold. */
  public int maxPayloadBytes() {
    throw new UnsupportedOperationException();
  }
}
