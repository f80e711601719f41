package dev.forebay.tiered.ship;

import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies the records of one cargo after another into the destination, so that each arrives exactly
 * once.
 *
 * <p>The invariant: behind the checkpoint's end the log holds the first bytes of the cargo's
 * records from the checkpoint's sequence on, and nothing else. So the order is: append, force,
 * checkpoint, release from the spool. Headers, footers and rolling happen only where nothing is
 * unsettled, under a checkpoint that says so. After every failure, and after a crash, {@link #load}
 * reads off the log itself how far the records got, and goes on at the exact byte.
 */
final class LogCopier {

  private static final int BATCH_BYTES = 256 * 1024;

  /** A step between two records that writes no record. */
  @FunctionalInterface
  interface BoundaryStep {
    void run() throws IOException;
  }

  private final Destination destination;
  private final ShipmentAccount account;
  private final Settlement settlement;
  private final LogTail tail;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);

  private @Nullable Cargo cargo;

  /** What is left of the batch being appended; null between batches. */
  private @Nullable ByteBuffer pending;

  /** Behind the last byte appended. */
  private Position brokenOffAt = new Position("", 0);

  /** Whether the cargo's place in its records is known, if only from the checkpoint. */
  private boolean begun;

  /** Whether records of the cargo may stand in the log that it does not count as appended. */
  private boolean uncompared;

  /** Where half a record of the cargo begins in the log, until the two are compared again. */
  private @Nullable Position unfinished;

  /** Where the whole records of an abandoned cargo end, if half a one stands behind them. */
  private @Nullable Position tornEnd;

  LogCopier(Destination destination, boolean forces, ShipmentAccount account) {
    this.destination = destination;
    this.account = account;
    this.settlement = new Settlement(destination, forces, account);
    this.tail = new LogTail(destination, settlement, account, batch);
  }

  /** Whether the log ends with a whole record, as far as we write it. */
  boolean isAtRecordBoundary() {
    return pending == null;
  }

  /** Whether something was appended that is not settled. */
  boolean hasUnsettled() {
    Cargo current = cargo;
    return current != null && current.appended() > current.settled();
  }

  /** Bytes appended since the last checkpoint. */
  long unsettledBytes() {
    Checkpoint last = settlement.checkpoint();
    return last == null ? 0 : destination.position().offset() - last.end().offset();
  }

  /**
   * Begins or resumes a cargo: finds out from checkpoint and log which of its records are in the
   * log already. The destination is open.
   */
  void load(Cargo next) throws IOException {
    cargo = next;
    if (halfRecord() != null) {
      unfinished = halfRecord();
    }
    pending = null;
    begun = false;
    settlement.appendedOther();
    cutTornEnd();
    Checkpoint last = settlement.checkpoint();
    if (last == null || !last.instance().equals(next.source().instanceId())) {
      last = next.home().checkpoint().load();
    }
    if (last != null && last.instance().equals(next.source().instanceId())) {
      settlement.begin(last);
      next.startAt(last.sequence());
      next.source().seek(last.sequence());
      begun = true;
      if (last.state() != State.BOUNDARY) {
        uncompared = true;
        compare(next, last);
      }
    } else {
      settlement.begin(null);
      long first = Math.max(next.settled(), SpoolReadException.markOf(next));
      String fault = next.takeMarkFault();
      if (fault != null) {
        account.warn("The mark %s: lines of its spool may be doubled".formatted(fault));
      }
      next.startAt(first);
      next.source().seek(first);
      begun = true;
    }
    uncompared = false;
    unfinished = null;
    if (pending == null) {
      settle();
    }
  }

  /**
   * Ends the use of a cargo that is not shipped yet: its checkpoint says that none of it follows.
   */
  void unload() throws IOException {
    Cargo current = loaded();
    settle();
    current.leaveMark();
    settlement.save(current, State.BOUNDARY);
  }

  /**
   * Ends the use of a cargo that cannot be read now. What is in the log behind its last checkpoint
   * counts as settled ground from here on, so that the next cargo may follow it.
   */
  void setAside() throws IOException {
    Cargo current = loaded();
    if (!begun) {
      return; // nothing of it is in the log behind the checkpoint, which names another spool
    }
    Position half = unfinished;
    if (half != null && destination.position().equals(brokenOffAt)) {
      destination.truncate(half.offset());
    }
    unfinished = null;
    Checkpoint last = settlement.checkpoint();
    boolean mayDouble = uncompared && last != null && !last.end().equals(destination.position());
    settle();
    try {
      current.leaveMark();
    } catch (IOException e) { // neither read nor written: the others must not wait for it
      mayDouble = true;
    }
    settlement.save(current, State.BOUNDARY);
    if (mayDouble) {
      account.warn(
          "It is not known how far the spool %s is in %s; lines will be doubled if it can be read later"
              .formatted(current.source().path(), destination.name()));
    }
  }

  /**
   * Gives up a cargo whose spool is gone: what is in the log counts if it can be forced, the rest
   * is lost, and half a record at the end of the log is cut off before anything else is appended.
   */
  void abandon() {
    Cargo current = loaded();
    ByteBuffer rest = pending;
    if (rest != null) {
      current.append(batch.firstSequence() + batch.recordsWithin(batch.from() + rest.position()));
      tornEnd = halfRecord();
      pending = null;
    }
    if (hasUnsettled() && !settlement.forceForGood(brokenOffAt)) {
      current.doubt();
    }
    current.abandon(account);
  }

  /** Where the record begins that is in the log in half; null when none is. */
  private @Nullable Position halfRecord() {
    ByteBuffer rest = pending;
    if (rest == null) {
      return null;
    }
    int written = batch.from() + rest.position();
    int bytes = written - batch.byteCount(batch.recordsWithin(written));
    return bytes == 0 ? null : new Position(brokenOffAt.fileKey(), brokenOffAt.offset() - bytes);
  }

  private void cutTornEnd() throws IOException {
    Position end = tornEnd;
    if (end != null && destination.position().equals(brokenOffAt)) { // or others wrote behind it
      destination.truncate(end.offset());
    }
    tornEnd = null;
  }

  private void compare(Cargo next, Checkpoint last) throws IOException {
    TailMatch.Result.Prefix found = tail.find(next, last);
    next.source().seek(last.sequence());
    if (found == null) {
      return;
    }
    next.append(found.sequence());
    next.source().seek(found.sequence());
    if (found.bytesOfNext() > 0) {
      SpoolReadException.read(next.source(), batch, 1);
      if (found.bytesOfNext() > batch.upTo()) {
        SpoolReadException.slide(next.source(), batch, found.bytesOfNext());
      }
      pending = batch.payload().position(found.bytesOfNext() - batch.from());
      brokenOffAt = destination.position();
    }
  }

  /**
   * Appends what is pending, or else the next batch, as far as the destination takes it.
   *
   * @return records completed; 0 when there was nothing to do
   */
  int copyBatch() throws IOException {
    Cargo current = loaded();
    if (pending == null && !readBatch(current)) {
      return 0;
    }
    appendPending();
    while (batch.upTo() < batch.byteCount()) { // a large record, part by part
      SpoolReadException.slide(current.source(), batch, batch.upTo());
      pending = batch.payload();
      appendPending();
    }
    pending = null;
    settlement.appended(batch.payload());
    current.append(batch.nextSequence());
    return batch.count();
  }

  private void appendPending() throws IOException {
    ByteBuffer rest = pending;
    while (rest != null && rest.hasRemaining()) {
      int written = destination.append(rest);
      brokenOffAt = destination.position();
      if (written <= 0) {
        throw new IOException(destination.name() + " took no byte of " + rest.remaining());
      }
    }
  }

  private boolean readBatch(Cargo current) throws IOException {
    long maxBytes = Math.min(BATCH_BYTES, destination.bytesUntilRoll());
    ReadOutcome outcome = SpoolReadException.read(current.source(), batch, Math.max(1, maxBytes));
    if (outcome instanceof ReadOutcome.Gap gap) {
      account.warn(
          "%d records of the spool %s cannot be read: %s"
              .formatted(gap.count(), current.source().path(), gap.reason()));
      current.skip(gap.count());
      settle(); // so that a comparison never has to reach over a gap
      return false;
    }
    if (outcome instanceof ReadOutcome.Records) {
      keepWhatBelongsToThisFile(current);
      pending = batch.payload();
      return true;
    }
    return false;
  }

  private void keepWhatBelongsToThisFile(Cargo current) {
    int records = destination.recordsUntilRoll(batch.count(), batch::byteCount);
    if (records < batch.count()) {
      batch.keep(records);
      current.source().seek(batch.nextSequence());
    }
  }

  /** Forces what was appended, checkpoints it and gives it up in the spool. At a boundary. */
  void settle() throws IOException {
    Cargo current = loaded();
    settlement.force(current);
    settlement.save(current, State.RECORDS);
    current.settle(account);
    current.source().release(current.settled());
  }

  /**
   * Runs a step that writes a header or footer or changes the file. Settles before, and checkpoints
   * before and after. When the step throws, the checkpoint still says that no records follow.
   */
  void crossBoundary(BoundaryStep step) throws IOException {
    Cargo current = loaded();
    settle();
    settlement.save(current, State.BOUNDARY);
    settlement.appendedOther();
    step.run();
    if (destination.isOpen()) {
      if (current.home().isDurable()) {
        settlement.force(
            current); // a checkpoint that outlives a power cut must not name what does not
      }
      settlement.save(current, State.RECORDS);
    }
  }

  /**
   * Goes on behind what others appended, whose end the destination has taken for its own: whatever
   * we appended stands before it.
   */
  void goOnBehindOthers() throws IOException {
    settlement.appendedOther();
    crossBoundary(destination::begin);
  }

  private Cargo loaded() {
    Cargo current = cargo;
    if (current == null) {
      throw new IllegalStateException("no cargo loaded");
    }
    return current;
  }
}
