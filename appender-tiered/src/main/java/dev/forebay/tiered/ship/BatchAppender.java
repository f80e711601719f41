package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Appends a batch of records to the log, in as many writes as that takes, and knows where it broke
 * off. For the shipper's thread.
 */
final class BatchAppender {

  private final Destination destination;
  private final RecordBatch batch;

  /** What is left of the batch, or of the part of a large record; null between batches. */
  private @Nullable ByteBuffer pending;

  /** Behind the last byte appended. */
  private Position end = new Position("", 0);

  /**
   * @param batch what is appended; between batches of anybody's use
   */
  BatchAppender(Destination destination, RecordBatch batch) {
    this.destination = destination;
    this.batch = batch;
  }

  /** Whether the log ends with a whole record, as far as we write it. */
  boolean isAtRecordBoundary() {
    return pending == null;
  }

  /** Forgets where it broke off: the log will be compared with the spool. */
  void reset() {
    pending = null;
  }

  /** All of the batch is to be appended. */
  void begin() {
    pending = batch.payload();
  }

  /** The first bytes of a spool's next record end the log already: the others are to follow. */
  void resume(SpoolTransfer transfer, int bytes) throws IOException {
    transfer.read(batch, 1);
    if (bytes > batch.upTo()) {
      transfer.slide(batch, bytes);
    }
    pending = batch.payload().position(bytes - batch.from());
    end = destination.position();
  }

  /** Appends what is left of the batch. When it throws, some of that may be in the log. */
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
        throw new IOException(destination.name() + " took no byte of " + rest.remaining());
      }
    }
  }

  /**
   * Ends where it broke off: the whole records count as appended, and half a one is cut off, unless
   * others wrote behind it.
   *
   * @return the end of what counts
   */
  Position breakOff(SpoolTransfer transfer) throws IOException {
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
