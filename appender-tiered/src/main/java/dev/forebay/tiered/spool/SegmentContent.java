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

  /** Size of the whole, undamaged record of this sequence that starts here; -1 if none does. */
  int find(long sequence) throws IOException;

  /** Fills the rest of a buffer from the payload of the record found. */
  void copyPayload(ByteBuffer target) throws IOException;

  /** Moves behind the record found. */
  void advance();

  /**
   * Copies records that start here, from {@code sequence} on and below {@code end}, and moves
   * behind them: as many as need no look at anything unusual, perhaps none.
   *
   * @param maxBytes payload bytes of the batch from which on no record is added
   * @return how many
   */
  default int copyMany(RecordBatch batch, long sequence, long end, long maxBytes) {
    return 0;
  }

  /**
   * Searches after a damaged place, where the record {@code low} should have started, for the next
   * complete one below {@code high}, and moves there. Returns its sequence; -1 if there is none.
   */
  default long search(long low, long high) throws IOException {
    return -1;
  }

  /** Nothing more is there for now: lets go of large memory. */
  default void rest() {}

  /** Where it is in the file. */
  long position();

  /** Whether a record says what is missing before it, so that no reason need be given. */
  default boolean namesGaps() {
    return false;
  }
}
