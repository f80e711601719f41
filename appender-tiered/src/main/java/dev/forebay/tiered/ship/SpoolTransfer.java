package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolReadException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The transfer of one spool to the log, and its progress. For the shipper's thread.
 *
 * <p>Sequences: records below {@link #committed} are final in the log and released from the spool;
 * those from there to {@link #appended} are in the log, but not yet in the checkpoint.
 */
final class SpoolTransfer {

  private final ShipLease lease;
  private final RecordSource source;
  private final @Nullable Spool own;

  /** Number of the first record here: how many went into this process's earlier spools. */
  private final long firstNumber;

  /** Whether no more records are added. */
  private boolean complete;

  /** Whether the end of a dead process's spool was reached. */
  private boolean ended;

  private long committed;
  private long appended;

  /** How many records from committed to appended could not be read. */
  private long missing;

  private SpoolTransfer(
      ShipLease lease, RecordSource source, @Nullable Spool own, long firstNumber) {
    this.lease = lease;
    this.source = source;
    this.own = own;
    this.firstNumber = firstNumber;
    this.complete = own == null;
  }

  /** A spool of this process; {@code firstNumber} records went into its earlier spools. */
  static SpoolTransfer own(ShipLease lease, Spool spool, long firstNumber) {
    return new SpoolTransfer(lease, spool.source(), spool, firstNumber);
  }

  /** A spool of a dead process. */
  static SpoolTransfer orphan(ShipLease lease, RecordSource source) {
    return new SpoolTransfer(lease, source, null, 0);
  }

  ShipLease lease() {
    return lease;
  }

  InstanceId instance() {
    return source.instanceId();
  }

  Path path() {
    return source.path();
  }

  /** No more records are added. */
  void markComplete() {
    complete = true;
  }

  /** Whether records may still be added: only such a spool is ever suspended for another. */
  boolean isLive() {
    return !complete;
  }

  long committed() {
    return committed;
  }

  long appended() {
    return appended;
  }

  boolean hasUncommitted() {
    return appended > committed;
  }

  /**
   * Begins, or restarts, at a record; everything below is committed.
   *
   * @param sequence from the checkpoint, which another process may have written
   */
  void startAt(long sequence) {
    committed = Math.max(committed, sequence);
    appended = committed;
    missing = 0;
    seek(committed);
  }

  /** Reads what comes next; see {@link RecordSource#read}. */
  ReadOutcome read(RecordBatch batch, long maxBytes) throws SpoolReadException {
    ReadOutcome outcome = source.read(batch, maxBytes);
    ended = own == null && outcome instanceof ReadOutcome.Nothing;
    return outcome;
  }

  /** The next part of a large record; see {@link RecordSource#slide}. */
  void slide(RecordBatch batch, int fromByte) throws SpoolReadException {
    source.slide(batch, fromByte);
  }

  /** Makes the next {@link #read} begin with this record. */
  void seek(long sequence) {
    ended = false;
    source.seek(sequence);
  }

  /** Sequence of the next record to read. */
  long nextSequence() {
    return source.nextSequence();
  }

  /** How many records there are from a sequence on, readable or not. */
  long countFrom(long sequence) throws SpoolReadException {
    return source.limitSequence() - sequence;
  }

  /** Records up to this sequence were appended. */
  void append(long sequence) {
    appended = sequence;
  }

  /** Records from {@link #appended} on cannot be read. */
  void skip(long records) {
    appended += records;
    missing += records;
  }

  /** Uncommitted records may be missing after a power cut: they count as lost. */
  private void countUncommittedAsLost() {
    missing = appended - committed;
  }

  /** Everything appended is final in the log: releases it from the spool. */
  void commit(ShippingListener listener) throws IOException {
    count(listener);
    source.release(committed);
  }

  private void count(ShippingListener listener) {
    long arrived = appended - committed - missing;
    long gone = missing;
    committed = appended;
    missing = 0;
    if (own != null) {
      listener.settled(arrived, gone, firstNumber + committed);
    } else {
      listener.recovered(arrived);
      listener.orphanShipped(instance(), committed, gone);
    }
  }

  /** Whether nothing is left to append, at least for now. */
  boolean isDrained() {
    return own == null ? ended : appended >= own.writer().publishedSequence();
  }

  /** Whether nothing is left to ship, now or ever. */
  boolean isExhausted() {
    return complete && isDrained() && !hasUncommitted();
  }

  /** Whether its directory was deleted or unmounted, and no more records are added. */
  boolean isRemoved() throws IOException {
    return complete && lease.disk().stat(path()) == null;
  }

  /** Whether the rest of it cannot be shipped after this process has ended. */
  boolean isLostWithProcess() {
    return !lease.disk().outlivesProcess();
  }

  /**
   * Abandons the rest, which can no longer be read or will be gone with the process.
   *
   * @param forced whether what was appended is final in the log
   */
  void abandon(boolean forced, ShippingListener listener) {
    if (!forced) {
      countUncommittedAsLost();
    }
    if (own != null) {
      long left = own.writer().publishedSequence() - appended;
      if (isLostWithProcess() && left > 0) {
        listener.warn(
            "%d events were spooled in the heap and could not be written to the log in time; they are lost"
                .formatted(left));
      }
      skip(left);
    }
    count(listener);
    reportEnd(listener);
    try {
      if (isLostWithProcess()) {
        source.discard(); // a reference to a stopped appender must not keep its records in memory
      }
    } catch (IOException e) {
      // The records are freed with the appender.
    } finally {
      source.close();
    }
  }

  /** Deletes the spool, which is shipped. If that fails, the caller retries. */
  void finish(ShippingListener listener) throws IOException {
    try {
      source.discard();
    } catch (IOException e) {
      throw new IOException("cannot remove the spool %s, which is shipped".formatted(path()), e);
    }
    reportEnd(listener);
  }

  /** Records of an earlier start's spool that were not found are lost. */
  private void reportEnd(ShippingListener listener) {
    if (own == null) {
      listener.orphanShipped(instance(), Long.MAX_VALUE, Long.MAX_VALUE);
    }
  }

  /** Ends its use, keeps its records for the next appender and reports them to the listener. */
  void leave(ShippingListener listener) {
    long limit = own == null ? -1 : own.writer().publishedSequence();
    listener.left(instance(), committed, limit); // before another appender can take it
    source.close();
  }
}
