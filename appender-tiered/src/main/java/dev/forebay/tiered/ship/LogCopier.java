package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.UnreadableException;
import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Copies one spool after another into a log of files, each from its first to its last record, so
 * that every record arrives exactly once.
 *
 * <p>The invariant: after the checkpoint's end, the log holds the first bytes of the spool's
 * records from the checkpoint's sequence on, and nothing else. So the order is: append, force,
 * checkpoint, release from the spool. Headers, footers and rolling happen only while nothing is
 * uncommitted, under a checkpoint that says so. After every failure, and after a crash, {@link
 * #take} reads from the log itself how far the records got and continues at the exact byte.
 *
 * <p>The shipper uses only operations that any destination has: take a spool, copy, commit, end.
 */
final class LogCopier {

  private static final int BATCH_BYTES = 256 * 1024;

  /** How much is known of the log. */
  private enum Phase {
    /** Nothing: the log must be reopened and compared before anything is appended. */
    LOST,
    /** Its content. A header or a line end may be due before the next record. */
    OPENED,
    /** The next record may follow. */
    READY
  }

  private final Destination destination;
  private final ShippingListener listener;
  private final Committer committer;
  private final TailRecovery tail;
  private final OthersNotice othersNotice;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);
  private final BatchAppender appender;

  private Phase phase = Phase.LOST;
  private @Nullable SpoolTransfer current;

  /** How often in succession the log could not be compared. */
  private int unreadable;

  /** Whether the active file holds nothing but a header. */
  private boolean sectionEmpty;

  LogCopier(Destination destination, boolean forces, ShippingListener listener, NanoClock clock) {
    this.destination = destination;
    this.listener = listener;
    this.committer = new Committer(destination, forces, listener);
    this.tail = new TailRecovery(destination, committer, listener, batch);
    this.othersNotice = new OthersNotice(destination, listener, clock);
    this.appender = new BatchAppender(destination, batch);
  }

  /** The spool taken last, until it is finished or abandoned. */
  @Nullable SpoolTransfer current() {
    return current;
  }

  /** Whether the log's content is unknown. */
  boolean isLost() {
    return phase == Phase.LOST;
  }

  /** Whether only the current spool may be appended, because the log may end within a record. */
  boolean isBound() {
    return current != null && (phase == Phase.LOST || !appender.isAtRecordBoundary());
  }

  /** To be called when something failed or others may write to the log. */
  void loseTrack() {
    phase = Phase.LOST;
  }

  /** Whether all that is left to do is to wait for records, to commit and to look at the log. */
  boolean isSettled() {
    return current != null && !isBound();
  }

  /** Whether something was appended that can be committed now. */
  boolean canCommit() {
    return current != null && !isBound() && current.hasUncommitted();
  }

  /** Bytes appended that can be committed now. */
  long uncommittedBytes() {
    return canCommit() ? committer.uncommittedBytes(taken()) : 0;
  }

  /**
   * Begins or resumes a spool: finds out from the checkpoint and the log which of its records are
   * in the log already. A live spool may be suspended in favor of it.
   *
   * @return false if it was already the current spool and the log's content is known
   */
  boolean take(SpoolTransfer next) throws IOException {
    SpoolTransfer before = current;
    if (phase != Phase.LOST && before == next) {
      return false;
    }
    if (phase == Phase.LOST) {
      destination.close();
      destination.open();
      recover(next);
      phase = Phase.OPENED;
    } else {
      if (before != null) {
        committer.quiesce(before);
      }
      recover(next);
    }
    return true;
  }

  private void recover(SpoolTransfer next) throws IOException {
    current = next;
    appender.reset();
    committer.appendedOther();
    Checkpoint last = next.lease().checkpoint().load();
    boolean isNamed = last != null && last.names(next.instance());
    if (next.hasUncommitted() && !isNamed) {
      listener.warn(
          "Another process shipped to %s in the meantime: up to %d lines may be duplicated"
              .formatted(destination.name(), next.appended() - next.committed()));
    }
    next.startAt(last == null ? 0 : last.firstUncommitted(next.instance()));
    if (last != null && isNamed && last.state() != State.BOUNDARY) {
      compare(next, last);
    }
    if (appender.isAtRecordBoundary()) {
      commit();
    }
  }

  private void compare(SpoolTransfer next, Checkpoint last) throws IOException {
    TailComparison.Result.Prefix found = find(next, last);
    if (found == null) {
      next.seek(next.appended());
      return;
    }
    next.append(found.next());
    next.seek(found.next());
    if (found.bytesOfNext() > 0) {
      appender.resume(next, found.bytesOfNext());
    }
  }

  /** Null if shipping continues at the checkpoint, also because the log stays unreadable. */
  private TailComparison.Result.@Nullable Prefix find(SpoolTransfer next, Checkpoint last)
      throws IOException {
    try {
      return tail.find(next, last);
    } catch (UnreadableException e) {
      if (++unreadable < UnreadableException.MAX_ATTEMPTS) {
        throw e;
      }
      if (unreadable == UnreadableException.MAX_ATTEMPTS) {
        listener.warn(
            "%s %s; up to %d lines since the last checkpoint may be duplicated"
                .formatted(
                    destination.name(), e.getMessage(), next.countFrom(last.next().sequence())));
      }
      return null;
    }
  }

  /**
   * Completes what is pending, or else appends the next batch.
   *
   * @return records completed; 0 if there is nothing to do or others have moved the log
   */
  int copy() throws IOException {
    SpoolTransfer transfer = taken();
    if (appender.isAtRecordBoundary() && !(prepare(transfer) && readBatch(transfer))) {
      return 0;
    }
    appender.append(transfer);
    committer.appended(batch.payload());
    sectionEmpty = false;
    unreadable = 0;
    return batch.count();
  }

  /** Between two records: checks for changes by others, writes a header and rolls if due. */
  private boolean prepare(SpoolTransfer transfer) throws IOException {
    if (!destination.isUndisturbed() && !follow(transfer)) {
      leave(transfer);
      return false;
    }
    if (phase == Phase.OPENED) {
      sectionEmpty = destination.position().offset() == 0;
      begin(transfer);
    }
    // A log that is idle over midnight is rolled too, unless its file has no records.
    if (sectionEmpty && transfer.isDrained()) {
      destination.rollIsNeedless();
    } else if (destination.isRollDue()) {
      roll(transfer);
    }
    return true;
  }

  private boolean readBatch(SpoolTransfer transfer) throws IOException {
    long maxBytes = Math.max(1, Math.min(BATCH_BYTES, destination.bytesUntilRoll()));
    ReadOutcome outcome = transfer.read(batch, maxBytes);
    while (outcome instanceof ReadOutcome.Gap gap) {
      listener.warn(
          "%d records of the spool %s cannot be read: %s"
              .formatted(gap.count(), transfer.path(), gap.reason()));
      transfer.skip(gap.count());
      commit(); // so that a comparison never has to reach over a gap
      outcome = transfer.read(batch, maxBytes);
    }
    if (outcome instanceof ReadOutcome.Nothing) {
      return false;
    }
    int records = destination.recordsUntilRoll(batch.count(), batch::byteCount);
    if (records < batch.count()) { // the rest belongs to the next file and is read again
      batch.keep(records);
      transfer.seek(batch.nextSequence());
    }
    appender.begin();
    return true;
  }

  /** Makes what was appended final in the log and releases it from the spool. */
  void commit() throws IOException {
    committer.commit(taken());
  }

  private void begin(SpoolTransfer transfer) throws IOException {
    committer.quiesce(transfer);
    destination.begin();
    committer.resume(transfer);
    phase = Phase.READY;
  }

  private void roll(SpoolTransfer transfer) throws IOException {
    committer.quiesce(transfer);
    destination.roll();
    committer.resume(transfer);
    sectionEmpty = true;
  }

  /**
   * If others have only appended, the next batch follows without a second check: a process that
   * appends constantly must not block shipping.
   *
   * @return false if they did anything else
   */
  private boolean follow(SpoolTransfer transfer) throws IOException {
    if (!destination.followAppends()) {
      return false;
    }
    othersNotice.changed("is also written to by others; continuing after their lines");
    committer.appendedOther();
    begin(transfer);
    sectionEmpty = false;
    return true;
  }

  /**
   * Others moved, removed or changed the log. Unless they removed it, everything appended still
   * exists, at a place that only they know: it is committed there. Shipping continues at the end of
   * the log as found when it is reopened.
   */
  private void leave(SpoolTransfer transfer) throws IOException {
    othersNotice.changed("was moved, removed or changed by others; reopening it");
    phase = Phase.LOST;
    if (!destination.isRemoved()) {
      committer.quiesce(transfer);
      destination.close();
    }
  }

  /** The current spool is finished. */
  void forget() {
    current = null;
  }

  /**
   * Abandons the current spool, which is gone or will be: records in the log count if they can be
   * forced, the rest is lost.
   */
  void abandon() {
    SpoolTransfer transfer = taken();
    boolean counts;
    try {
      counts = committer.forceForGood(transfer, appender.endInterrupted(transfer));
    } catch (IOException e) {
      listener.failed(e);
      counts = !committer.mustForce(transfer);
      phase = Phase.LOST;
    }
    transfer.abandon(counts, listener);
    current = null;
  }

  /** Commits and writes the footer, if the log ends with a whole record; {@link #close} follows. */
  void end() throws IOException {
    SpoolTransfer transfer = current;
    if (phase == Phase.LOST || !appender.isAtRecordBoundary()) {
      return;
    }
    if (transfer != null) {
      committer.quiesce(transfer);
    }
    destination.end();
  }

  void close() {
    destination.close();
  }

  private SpoolTransfer taken() {
    SpoolTransfer transfer = current;
    if (transfer == null) {
      throw new IllegalStateException("no spool taken");
    }
    return transfer;
  }
}
