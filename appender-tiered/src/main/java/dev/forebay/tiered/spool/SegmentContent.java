package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads the records of an open segment: frames, or lines of the JVM's log. For one thread. */
public interface SegmentContent {

  /**
   * Moves to the first record of a file, which the caller closes.
   *
   * @return what is wrong with the file, whose records are read like any others; null if nothing
   */
  @Nullable String begin(Segment segment, DiskFile file, long sizeBytes) throws IOException;

  /** Whether a whole, undamaged record of this sequence starts here. */
  boolean isRecord(long sequence) throws IOException;

  /** Size of the record found last. */
  int payloadBytes();

  /** Fills the rest of a buffer from the payload of the {@link #isRecord record} here. */
  void copyPayload(ByteBuffer target) throws IOException;

  /** Moves behind the record found last. */
  void advance();

  /**
   * Searches after a damaged place for the next complete record, and moves there.
   *
   * @param low sequence of the record that should have started here; that found is below {@code
   *     high}
   * @return the sequence found; -1 if there is none
   */
  long search(long low, long high) throws IOException;

  /** Where it is in the file. */
  long position();

  /** Whether a record says what is missing before it, so that no reason need be given. */
  boolean namesGaps();
}
