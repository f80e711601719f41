package dev.forebay.tiered.file;

import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Appends a batch of records to the log, in as many writes as needed, and knows where it was
 * interrupted. For the shipper's thread.
 */
final class BatchAppender {

  /** A channel copies what is in the heap to direct memory before it writes. */
  private static final int WRITE_BYTES = 256 * 1024;

  private final LogFile log;
  private final RecordBatch batch;

  /** What an interrupted batch has left to append; null if none was interrupted. */
  private @Nullable ByteBuffer pending;

  /** The position after the last byte appended. */
  private Position end = new Position("", 0);

  /**
   * @param batch what is appended; others may use it between batches
   */
  BatchAppender(LogFile log, RecordBatch batch) {
    this.log = log;
    this.batch = batch;
  }

  /** Forgets where it was interrupted: the log will be compared with the spool. */
  void reset() {
    pending = null;
  }

  /** Appends all of the batch. If it throws, a part of that may be in the log. */
  void append(Records records) throws IOException {
    ByteBuffer rest = batch.payload();
    pending = rest;
    while (rest.hasRemaining()) {
      int bytes = Math.min(rest.remaining(), WRITE_BYTES);
      int written = log.append(rest.slice(rest.position(), bytes));
      rest.position(rest.position() + Math.max(0, written));
      end = log.position();
      if (written <= 0) {
        throw new IOException(
            "%s accepted none of %d bytes".formatted(log.name(), rest.remaining()));
      }
    }
    pending = null;
    records.append(batch.nextSequence());
  }

  /**
   * Ends an interrupted batch: its whole records count as appended, and a torn one is cut off,
   * unless others wrote after it.
   *
   * @return the end of what counts
   */
  Position endInterrupted(Records records) throws IOException {
    ByteBuffer rest = pending;
    pending = null;
    if (rest != null) {
      int complete = batch.recordsWithin(rest.position());
      records.append(batch.firstSequence() + complete);
      long torn = end.offset() - (rest.position() - batch.byteCount(complete));
      if (torn < end.offset()) {
        log.close(); // to see where the file ends now
        log.open();
        if (log.position().equals(end)) {
          log.truncate(new Position(end.fileKey(), torn));
        }
      }
    }
    return end;
  }
}
