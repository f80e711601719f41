package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Appends a batch of records to the log, in as many writes as needed, and knows where it was
 * interrupted. For the shipper's thread.
 */
final class BatchAppender {

  private final Destination destination;
  private final RecordBatch batch;

  /** The rest of the batch, or of a part of a large record; null between batches. */
  private @Nullable ByteBuffer pending;

  /** The position after the last byte appended. */
  private Position end = new Position("", 0);

  /**
   * @param batch what is appended; others may use it between batches
   */
  BatchAppender(Destination destination, RecordBatch batch) {
    this.destination = destination;
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
  void resume(SpoolTransfer transfer, int bytes) throws IOException {
    transfer.read(batch, 1);
    if (bytes > batch.upTo()) {
      transfer.slide(batch, bytes);
    }
    pending = batch.payload().position(bytes - batch.from());
    end = destination.position();
  }

  /** Appends the rest of the batch. If it throws, a part of that may be in the log. */
  void append(SpoolTransfer transfer) throws IOException {
    appendPending();
    while (batch.upTo() < batch.byteCount()) { // a large record, part by part
      transfer.slide(batch, batch.upTo());
      pending = batch.payload();
      appendPending();
    }
    pending = null;
    transfer.append(batch.nextSequence());
  }

  private void appendPending() throws IOException {
    ByteBuffer rest = pending;
    while (rest != null && rest.hasRemaining()) {
      int written = destination.append(rest);
      end = destination.position();
      if (written <= 0) {
        throw new IOException(
            "%s accepted none of %d bytes".formatted(destination.name(), rest.remaining()));
      }
    }
  }

  /**
   * Ends an interrupted batch: its whole records count as appended, and a torn one is cut off,
   * unless others wrote after it.
   *
   * @return the end of what counts
   */
  Position endInterrupted(SpoolTransfer transfer) throws IOException {
    ByteBuffer rest = pending;
    pending = null;
    if (rest != null) {
      int written = batch.from() + rest.position();
      int complete = batch.recordsWithin(written);
      transfer.append(batch.firstSequence() + complete);
      long torn = end.offset() - (written - batch.byteCount(complete));
      if (torn < end.offset()) {
        destination.close(); // to see where the file ends now
        destination.open();
        if (destination.position().equals(end)) {
          destination.truncate(torn);
        }
      }
    }
    return end;
  }
}
