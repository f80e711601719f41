package dev.forebay.tiered.spool;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The records of one spool in order: our own live one, or that of a process that is gone. For the
 * shipper's thread only.
 */
public final class RecordSource implements Closeable {
  RecordSource() {}

  /** Identity of the spool. */
  public InstanceId instanceId() {
    throw new UnsupportedOperationException();
  }

  /** Directory of the spool. */
  public Path path() {
    throw new UnsupportedOperationException();
  }

  /** Lowest sequence that may still be present; equal to the limit when nothing is. */
  public long firstSequence() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Sequence behind the last record: for our own spool what is published by now, for an orphan
   * where its valid data ends.
   */
  public long limitSequence() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Sequence the next {@link #read} begins with. */
  public long nextSequence() {
    throw new UnsupportedOperationException();
  }

  /** Makes {@link #read} continue with the record of this sequence; 0 at first. */
  public void seek(long sequence) {
    throw new UnsupportedOperationException();
  }

  /**
   * Clears the batch and fills it with whole records: as many as it takes to reach {@code maxBytes}
   * payload bytes, the record that crosses this limit included, but no more than the batch's own
   * limit allows. Records in front of a gap are delivered before the gap is.
   */
  public ReadOutcome read(RecordBatch batch, long maxBytes) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Gives up all records below {@code sequence}, which must not be above {@link #nextSequence}:
   * segments that hold nothing else are recycled or deleted, or quarantined if they are damaged.
   * When it throws, a later call does the rest.
   */
  public void release(long sequence) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Closes the spool this belongs to and keeps its data; for our own see {@link Spool#close}. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  /** Deletes the spool this belongs to; for our own see {@link Spool#discard}. */
  public void discard() throws IOException {
    throw new UnsupportedOperationException();
  }
}
