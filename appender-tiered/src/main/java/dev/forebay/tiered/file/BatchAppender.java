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

  private final LogFile log;
  private final RecordBatch batch;

  /** The rest of the batch, or of a part of a large record; null between batches. */
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

  /** Whether what we wrote to the log ends with a whole record. */
  boolean isAtRecordBoundary() {
    return pending == null;
  }

  /** Forgets where it was interrupted: the log will be compared with the spool. */
  void reset() {
    pending = null;
  }

  /** Prepares to append all of the batch. */
  void begin() {
    pending = batch.payload();
  }

  /** Prepares to append the rest of a spool's next record, whose first bytes are in the log. */
  void resume(Records records, int bytes) throws IOException {
    records.read(batch, 1);
    if (bytes > batch.upTo()) {
      records.slide(batch, bytes);
    }
    pending = batch.payload().position(bytes - batch.from());
    end = log.position();
  }

  /** Appends the rest of the batch. If it throws, a part of that may be in the log. */
  void append(Records records) throws IOException {
    appendPending();
    while (batch.upTo() < batch.byteCount()) { // a large record, part by part
      records.slide(batch, batch.upTo());
      pending = batch.payload();
      appendPending();
    }
    pending = null;
    records.append(batch.nextSequence());
  }

  private void appendPending() throws IOException {
    ByteBuffer rest = pending;
    while (rest != null && rest.hasRemaining()) {
      int written = log.append(rest);
      end = log.position();
      if (written <= 0) {
        throw new IOException(
            "%s accepted none of %d bytes".formatted(log.name(), rest.remaining()));
      }
    }
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
      int written = batch.from() + rest.position();
      int complete = batch.recordsWithin(written);
      records.append(batch.firstSequence() + complete);
      long torn = end.offset() - (written - batch.byteCount(complete));
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
