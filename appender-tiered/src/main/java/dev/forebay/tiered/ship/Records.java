package dev.forebay.tiered.ship;

import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.MissingRecords;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import dev.forebay.tiered.spool.SpoolReadException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The records of one spool on their way to the destination, and how far they are. For the shipper's
 * thread.
 *
 * <p>Sequences: records below {@link #committed} are final and released from the spool; those from
 * there to {@link #appended} are at the destination, but not final.
 */
public final class Records {

  private final ShippingListener listener;
  private ShipLease lease;
  private RecordSource source;
  private final @Nullable OwnSpool own;
  private final long firstNumber;

  boolean complete; // no more records are added; set by the queue

  /** Whether the shipper has claimed the spool, which then stays where it is. */
  private boolean isClaimed;

  private boolean ended; // whether the end of a dead process's spool was reached

  /** Where the final records end, in all processes. */
  private SpoolPosition committed;

  private long appended;

  /** Sequence after the records there when someone began to wait for the next commit. */
  private long awaited = Long.MAX_VALUE;

  /** How many records from committed to appended are lost, and refused: see SpoolPosition. */
  private long missing;

  private long refused;

  /** Own if it is of this process, after so many records in its earlier spools; otherwise null. */
  Records(
      ShipLease lease,
      RecordSource source,
      @Nullable OwnSpool own,
      long firstNumber,
      ShippingListener listener) {
    this.lease = lease;
    this.listener = listener;
    this.source = source;
    this.own = own;
    this.firstNumber = firstNumber;
    this.complete = own == null;
    long first = own == null ? 0 : own.firstSequence();
    this.committed = new SpoolPosition(source.instanceId(), first, 0, 0);
    // Its owner may be creating it, not locked yet: a topic's brokers would keep an id for it.
    this.ended = own == null && source.isEmpty() && lease.progress.rank(source.instanceId()) > 0;
  }

  ShipLease lease() {
    return lease;
  }

  static @Nullable Records find(Collection<Records> all, InstanceId instance) {
    for (Records one : all) {
      if (one.instance().equals(instance)) {
        return one;
      }
    }
    return null;
  }

  /**
   * Claims its spool, which its mover may have moved, before anything is read. False while it is
   * being moved.
   */
  boolean claim(SpoolQueue queue) {
    if (own == null || isClaimed) {
      return true;
    }
    isClaimed = own.claim();
    SpoolDirectory movedTo = isClaimed ? own.movedTo() : null;
    if (movedTo != null) {
      lease = queue.overflowLeaseOf(movedTo);
      source = own.source();
    }
    return isClaimed;
  }

  public SpoolDirectory directory() {
    return lease.directory();
  }

  /**
   * The checkpoint of its directory that counts, of this spool or another; null if there is none.
   */
  public @Nullable Checkpoint checkpoint() throws IOException {
    return lease.progress.load();
  }

  /** As {@link #checkpoint}, as far as it was loaded or saved, if it is of this spool. */
  public @Nullable Checkpoint ownCheckpoint() {
    return lease.progress.newestOf(instance());
  }

  int rank() {
    return lease.progress.rank(instance());
  }

  /** Whether checkpoints survive power cuts, as its spool does. */
  public boolean survivesPowerCuts() {
    return lease.progress.durable;
  }

  /** Saves how far the appended records are at the destination, and what may follow there. */
  public void save(Checkpoint.State state, Checkpoint.Position end, Checkpoint.Anchor anchor)
      throws IOException {
    lease.progress.save(position(), directory(), state, end, anchor);
  }

  /** As the other, at a destination that cannot be read back. */
  public void save() throws IOException {
    save(Checkpoint.State.BOUNDARY, Checkpoint.Position.NOWHERE, Checkpoint.Anchor.NONE);
  }

  public void markUnforced() throws IOException {
    lease.progress.markUnforced(instance());
  }

  public InstanceId instance() {
    return source.instanceId();
  }

  Path path() {
    return source.path();
  }

  /** Whether the checkpoint can name it beside the spools whose positions it has to keep. */
  boolean hasRoom() throws IOException {
    return lease.progress.hasRoomFor(instance(), directory());
  }

  /** Whether records may still be added: only such a spool is ever suspended for another. */
  boolean isLive() {
    return !complete;
  }

  public boolean isOrphan() {
    return own == null;
  }

  public long lastWrittenMs() throws IOException {
    return SpoolLease.lastWrittenMs(directory().disk(), path());
  }

  public long committed() {
    return committed.sequence();
  }

  public SpoolPosition position() {
    return new SpoolPosition(
        instance(), appended, committed.lost() + missing, committed.refused() + refused);
  }

  public long appended() {
    return appended;
  }

  public boolean hasUncommitted() {
    return appended > committed.sequence();
  }

  /** Restarts at what is not final by the checkpoint. */
  public void restart() throws IOException {
    restart(committed);
  }

  /** The same, where the destination itself says what is final: it may know of more. */
  public void restart(SpoolPosition kept) throws IOException {
    SpoolPosition last = lease.progress.position(instance()).atLeast(kept).atLeast(committed);
    if (hasUncommitted() && last.sequence() > committed.sequence()) { // a failed commit took effect
      if (last.sequence() < appended) {
        appended = last.sequence();
        missing = last.lost() - committed.lost();
        refused = last.refused() - committed.refused();
      }
      count();
    }
    committed = last.atLeast(committed);
    appended = committed.sequence();
    missing = 0;
    refused = 0;
    seek(appended);
  }

  /** As {@link RecordSource#read}. */
  public @Nullable MissingRecords read(RecordBatch batch, long maxBytes) throws SpoolReadException {
    MissingRecords gap = source.read(batch, maxBytes);
    ended = own == null && gap == null && batch.count() == 0;
    return gap;
  }

  public void seek(long sequence) {
    ended = false;
    source.seek(sequence);
  }

  /** How many records there are from a sequence on, readable or not. */
  public long countFrom(long sequence) throws SpoolReadException {
    return Math.max(0, source.limitSequence() - sequence); // less after a power cut that took some
  }

  public void append(long sequence) {
    appended = sequence;
  }

  /** As {@link #read}, or skips what is missing; whether it did: then read again. */
  public boolean skip(RecordBatch batch, long maxBytes) throws SpoolReadException {
    MissingRecords gap = read(batch, maxBytes);
    if (gap == null) {
      return false;
    }
    if (!gap.reason().isEmpty()) {
      listener.warn(
          "%d records of the spool %s cannot be read: %s"
              .formatted(gap.count(), path(), gap.reason()));
    }
    appended += gap.count();
    missing += gap.count();
    return true;
  }

  /** The destination refuses the next record. */
  public void refuse() {
    appended++;
    missing++;
    refused++;
  }

  /** Everything appended is final: counts it and releases it from the spool. */
  public void commit() throws IOException {
    count();
    release();
  }

  /**
   * Whether a commit that someone waits for is due: it costs a force of the log or requests to
   * brokers, so it comes once all is copied that was there when they began, or it makes room.
   */
  boolean isWorthACommit() {
    awaited = own == null ? awaited : Math.min(awaited, own.publishedSequence());
    return isDrained() || appended >= awaited || source.makesRoom(appended);
  }

  void release() throws IOException {
    source.release(committed.sequence());
  }

  private void count() {
    long arrived = appended - committed.sequence() - missing;
    long gone = missing;
    committed = position();
    awaited = Long.MAX_VALUE;
    missing = 0;
    if (own != null && refused > 0) {
      listener.refused(refused);
    }
    refused = 0;
    if (own != null) {
      listener.settled(arrived, gone, firstNumber + committed.sequence());
    } else {
      listener.recovered(arrived);
    }
  }

  public boolean isDrained() {
    return own == null ? ended : appended >= own.publishedSequence();
  }

  /** Closes files until the next record: there may be many idle appenders. */
  void rest() {
    if (own != null && !hasUncommitted()) {
      lease.progress.close();
      own.rest();
    }
  }

  boolean isCommitted() {
    return own != null && own.publishedSequence() <= committed.sequence();
  }

  void requestCommit() {
    if (own != null) {
      own.requestCommit();
    }
  }

  boolean isExhausted() {
    return complete && isDrained() && !hasUncommitted();
  }

  /** Whether the spool is deleted, unmounted or out of reach, and no more records are added. */
  boolean isRemoved() throws IOException {
    return complete && directory().disk().isGone(path());
  }

  /** Whether the rest of it cannot be shipped after this process has ended. */
  boolean isLostWithProcess() {
    return !directory().disk().outlivesProcess();
  }

  /**
   * Abandons the rest, which can no longer be read or will be gone with the process, and what was
   * appended if that is not final.
   */
  void abandon(boolean isFinal) {
    if (!isFinal) {
      missing = appended - committed.sequence();
    }
    if (own != null) {
      long left = own.publishedSequence() - appended;
      if (isLostWithProcess() && left > 0) {
        listener.warn(
            "%d events were spooled in the heap and could not be written to the log in time; they are lost"
                .formatted(left));
      }
      appended += left;
      missing += left;
    }
    count();
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
  void discard() throws IOException {
    try {
      source.discard();
    } catch (IOException e) {
      throw new IOException("cannot remove the spool %s, which is shipped".formatted(path()), e);
    }
  }

  /** Counts and releases what another process has committed; whether that is more than before. */
  boolean follow(Checkpoint.SpoolPosition reached) throws IOException {
    long published = own == null ? 0 : own.publishedSequence(); // perhaps less than was read
    long sequence = Math.min(reached.sequence(), published);
    if (sequence <= committed.sequence()) {
      return false;
    }
    SpoolPosition known = committed.atLeast(reached); // counts begin anew with a new checkpoint
    missing = Math.min(known.lost() - committed.lost(), sequence - committed.sequence());
    refused = Math.min(known.refused() - committed.refused(), missing);
    appended = sequence;
    seek(appended);
    commit();
    return true;
  }

  /** Ends its use and keeps its records for the next appender, unless nothing of ours stays. */
  void leave() {
    if (own != null && !isClaimed) {
      if (!own.claim()) {
        own.close(); // or later by its mover
        return;
      }
      source = own.source();
    }
    boolean isLost = own != null && isLostWithProcess();
    try {
      isLost |= own != null && isRemoved();
    } catch (IOException e) {
      listener.failed(e);
    }
    if (isLost) {
      abandon(true);
    } else {
      source.close();
    }
  }
}
