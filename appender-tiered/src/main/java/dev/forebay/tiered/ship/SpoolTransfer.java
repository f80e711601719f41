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
 * One spool on its way to the log, and how far it is. For the shipper's thread.
 *
 * <p>Sequences: below {@link #committed} everything is in the log for good and released from the
 * spool; from there to {@link #appended} it is in the log, but the checkpoint does not say so yet.
 */
final class SpoolTransfer {

  private final ShipLease lease;
  private final RecordSource source;
  private final @Nullable Spool own;

  /** Records in this process's earlier spools: the number of the first one here. */
  private final long firstNumber;

  /** Whether no record will be added any more. */
  private boolean complete;

  /** Whether the end of a dead process's spool was met. */
  private boolean ended;

  private long committed;
  private long appended;

  /** Of the records from committed to appended, those that could not be read. */
  private long missing;

  private SpoolTransfer(
      ShipLease lease, RecordSource source, @Nullable Spool own, long firstNumber) {
    this.lease = lease;
    this.source = source;
    this.own = own;
    this.firstNumber = firstNumber;
    this.complete = own == null;
  }

  /** A spool of this process; {@code firstNumber} records went into those before it. */
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

  /** No record will be added any more. */
  void markComplete() {
    complete = true;
  }

  /** Whether records may still be added: the one kind of spool that is ever left for another. */
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
   * Begins, or begins again, with a record; everything below is committed.
   *
   * @param sequence what the checkpoint says, which another process may have written
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

  /** Has the next {@link #read} begin with this record. */
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

  /** What was appended and is not committed may be missing after a power cut: it counts as lost. */
  private void countUncommittedAsLost() {
    missing = appended - committed;
  }

  /** Everything appended is in the log for good: the spool need not have it any more. */
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
      listener.committed(arrived);
      listener.lost(gone);
      listener.reached(firstNumber + committed);
    } else {
      listener.recovered(arrived);
      listener.orphanShipped(instance(), committed, gone);
    }
  }

  /** Whether nothing is left to append, for now or for good. */
  boolean isDrained() {
    return own == null ? ended : appended >= own.writer().publishedSequence();
  }

  /** Whether nothing is left to ship, now or ever. */
  boolean isExhausted() {
    return complete && isDrained() && !hasUncommitted();
  }

  /** Whether its directory was deleted or unmounted, and nobody writes to it any more. */
  boolean isRemoved() throws IOException {
    return complete && lease.disk().stat(path()) == null;
  }

  /** Whether nobody can ship what is left of it when this process has ended. */
  boolean isLostWithProcess() {
    return !lease.disk().outlivesProcess();
  }

  /**
   * Gives up what is left, which cannot be read any more, or will be gone with the process.
   *
   * @param forced whether what was appended is in the log for good
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
    tellEnd(listener);
    try {
      if (isLostWithProcess()) {
        source.discard(); // whoever keeps a stopped appender shall not keep its records
      }
    } catch (IOException e) {
      // They go with the appender.
    } finally {
      source.close();
    }
  }

  /** Deletes the spool, which is shipped. When that fails, it is to be tried again. */
  void finish(ShippingListener listener) throws IOException {
    try {
      source.discard();
    } catch (IOException e) {
      throw new IOException("cannot remove the spool %s, which is shipped".formatted(path()), e);
    }
    tellEnd(listener);
  }

  /** Of a spool that an earlier start left, what was not found is lost. */
  private void tellEnd(ShippingListener listener) {
    if (own == null) {
      listener.orphanShipped(instance(), Long.MAX_VALUE, Long.MAX_VALUE);
    }
  }

  /**
   * Ends its use and keeps what is in it for the next appender; the listener learns what that is.
   */
  void leave(ShippingListener listener) {
    long limit = own == null ? -1 : own.writer().publishedSequence();
    listener.left(instance(), committed, limit); // before anybody can take it
    source.close();
  }
}
