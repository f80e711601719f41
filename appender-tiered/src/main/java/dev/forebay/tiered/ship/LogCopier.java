package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.ship.Checkpoint.Anchor;
import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
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
  private static final int ANCHOR_BYTES = 64;

  /** A step between two records that writes no record. */
  @FunctionalInterface
  interface BoundaryStep {
    void run() throws IOException;
  }

  private final Destination destination;
  private final boolean forces;
  private final ShipmentAccount account;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);

  private @Nullable Cargo cargo;

  /** The newest checkpoint of the cargo; what is on disk unless the last save failed. */
  private @Nullable Checkpoint checkpoint;

  /** What is left of the batch being appended; null between batches. */
  private @Nullable ByteBuffer pending;

  /** Behind the last byte appended. */
  private Position brokenOffAt = new Position("", 0);

  private Anchor anchor = Anchor.NONE;

  /** Whether the cargo's place in its records is known, if only from the checkpoint. */
  private boolean begun;

  /** Whether records of the cargo may stand in the log that it does not count as appended. */
  private boolean uncompared;

  /** Where the whole records of an abandoned cargo end, if half a one stands behind them. */
  private @Nullable Position tornEnd;

  LogCopier(Destination destination, boolean forces, ShipmentAccount account) {
    this.destination = destination;
    this.forces = forces;
    this.account = account;
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
    Checkpoint last = checkpoint;
    return last == null ? 0 : destination.position().offset() - last.end().offset();
  }

  /**
   * Begins or resumes a cargo: finds out from checkpoint and log which of its records are in the
   * log already. The destination is open.
   */
  void load(Cargo next) throws IOException {
    cargo = next;
    pending = null;
    begun = false;
    anchor = Anchor.NONE;
    cutTornEnd();
    Checkpoint last = checkpoint;
    if (last == null || !last.instance().equals(next.source().instanceId())) {
      last = next.home().checkpoint().load();
    }
    if (last != null && last.instance().equals(next.source().instanceId())) {
      checkpoint = last;
      next.startAt(last.sequence());
      next.source().seek(last.sequence());
      begun = true;
      if (last.state() != State.BOUNDARY) {
        uncompared = true;
        compare(next, last);
      }
    } else {
      checkpoint = null;
      long first = Math.max(next.settled(), next.shippedMark());
      next.startAt(first);
      next.source().seek(first);
      begun = true;
    }
    uncompared = false;
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
    save(current, State.BOUNDARY);
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
    Checkpoint last = checkpoint;
    boolean mayDouble = uncompared && last != null && !last.end().equals(destination.position());
    unload();
    if (mayDouble) {
      account.warn(
          "Lines of the spool %s at the end of %s could not be compared; they will be doubled if it can be read later"
              .formatted(current.source().path(), destination.name()));
    }
  }

  /**
   * Gives up a cargo whose spool is gone: what is in the log counts, the rest is lost, and half a
   * record at the end of the log is cut off before anything else is appended.
   */
  void abandon() {
    Cargo current = loaded();
    ByteBuffer rest = pending;
    if (rest != null) {
      int whole = batch.recordsWithin(rest.position());
      int tornBytes = rest.position() - batch.byteCount(whole);
      current.append(batch.firstSequence() + whole);
      Position end = brokenOffAt;
      tornEnd = tornBytes == 0 ? null : new Position(end.fileKey(), end.offset() - tornBytes);
      pending = null;
    }
    current.abandon(account);
  }

  private void cutTornEnd() throws IOException {
    Position end = tornEnd;
    if (end != null && end.fileKey().equals(destination.position().fileKey())) {
      destination.truncate(end.offset());
    }
    tornEnd = null;
  }

  private void compare(Cargo next, Checkpoint last) throws IOException {
    DiskFile log = destination.openForReading(last.end());
    if (log == null) {
      account.warn(
          "The file that %s continued is gone; what was written to it since the last checkpoint is written again"
              .formatted(destination.name()));
      return;
    }
    TailMatch.Result result;
    try (log) {
      result = TailMatch.of(log, last, next.source(), batch);
      if (forces && !isActive(last) && result instanceof TailMatch.Result.Prefix) {
        log.force(); // settling forces the active file only
      }
    }
    next.source().seek(last.sequence());
    if (result instanceof TailMatch.Result.Foreign foreign && !destination.wasEmptied()) {
      account.warn(
          "%s was changed by others: %s; up to %d lines since the last checkpoint may be doubled"
              .formatted(
                  destination.name(),
                  foreign.reason(),
                  SpoolReadException.limitOf(next.source()) - last.sequence()));
    } else if (result instanceof TailMatch.Result.Prefix prefix) {
      continueBehind(next, last, prefix);
    }
  }

  private void continueBehind(Cargo next, Checkpoint last, TailMatch.Result.Prefix prefix)
      throws IOException {
    boolean active = isActive(last);
    if (active && last.state() == State.UNFORCED) {
      destination.truncate(last.end().offset());
      return;
    }
    next.append(prefix.sequence());
    next.source().seek(prefix.sequence());
    if (active && prefix.bytesOfNext() > 0) {
      SpoolReadException.read(next.source(), batch, 1);
      pending = batch.payload().position(prefix.bytesOfNext());
    }
  }

  private boolean isActive(Checkpoint last) {
    return destination.position().fileKey().equals(last.end().fileKey());
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
    ByteBuffer rest = pending;
    while (rest != null && rest.hasRemaining()) {
      int written = destination.append(rest);
      brokenOffAt = destination.position();
      if (written <= 0) {
        throw new IOException(destination.name() + " took no byte of " + rest.remaining());
      }
    }
    pending = null;
    anchor = anchorOf(batch.payload());
    current.append(batch.nextSequence());
    return batch.count();
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
      pending = batch.payload();
      return true;
    }
    return false;
  }

  private static Anchor anchorOf(ByteBuffer appended) {
    int length = Math.min(ANCHOR_BYTES, appended.limit());
    CRC32C crc = new CRC32C();
    crc.update(appended.position(appended.limit() - length));
    return new Anchor(length, (int) crc.getValue());
  }

  /** Forces what was appended, checkpoints it and gives it up in the spool. At a boundary. */
  void settle() throws IOException {
    Cargo current = loaded();
    if (forces) {
      force(current);
    }
    save(current, State.RECORDS);
    current.settle(account);
    current.source().release(current.settled());
  }

  private void force(Cargo current) throws IOException {
    try {
      destination.force();
    } catch (IOException e) {
      // The kernel drops the dirty mark of pages it failed to write: forcing again would succeed
      // and lie. What is not known to be on disk is written again, from the spool.
      Checkpoint last = checkpoint;
      if (last != null && last.state() == State.RECORDS) {
        checkpoint =
            new Checkpoint(
                State.UNFORCED, last.instance(), last.sequence(), last.end(), last.anchor());
        current.home().checkpoint().save(checkpoint);
      }
      throw e;
    }
  }

  private void save(Cargo current, State state) throws IOException {
    Checkpoint next =
        new Checkpoint(
            state,
            current.source().instanceId(),
            current.appended(),
            destination.position(),
            anchor);
    current.home().checkpoint().save(next);
    checkpoint = next;
  }

  /**
   * Runs a step that writes a header or footer or changes the file. Settles before, and checkpoints
   * before and after. When the step throws, the checkpoint still says that no records follow.
   */
  void crossBoundary(BoundaryStep step) throws IOException {
    Cargo current = loaded();
    settle();
    save(current, State.BOUNDARY);
    anchor = Anchor.NONE;
    step.run();
    if (destination.isOpen()) {
      save(current, State.RECORDS);
    }
  }

  private Cargo loaded() {
    Cargo current = cargo;
    if (current == null) {
      throw new IllegalStateException("no cargo loaded");
    }
    return current;
  }
}
