package dev.forebay.tiered.ship;

import dev.forebay.tiered.ship.Checkpoint.Anchor;
import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One spool being shipped and how far it is. For the shipper's thread.
 *
 * <p>Sequences: below {@link #settled} everything is in the log for good and released from the
 * spool; from there to {@link #appended} it is in the log, but the checkpoint does not say so yet.
 */
final class Cargo {

  private final Home home;
  private final RecordSource source;
  private final @Nullable Spool own;

  /** Records in this process's earlier spools: the number of the first one here. */
  private final long firstNumber;

  private boolean complete;
  private long settled;
  private long appended;

  /** Of the records from settled to appended, those that could not be read. */
  private long missing;

  private @Nullable String markFault;

  private Cargo(Home home, RecordSource source, @Nullable Spool own, long firstNumber) {
    this.home = home;
    this.source = source;
    this.own = own;
    this.firstNumber = firstNumber;
  }

  /** A spool of this process; {@code firstNumber} records went into those before it. */
  static Cargo own(Home home, Spool spool, long firstNumber) {
    return new Cargo(home, spool.source(), spool, firstNumber);
  }

  /** A spool of a dead process. */
  static Cargo orphan(Home home, RecordSource source) {
    return new Cargo(home, source, null, 0);
  }

  Home home() {
    return home;
  }

  RecordSource source() {
    return source;
  }

  /** Whether this process wrote it, since its appender's last start. */
  boolean isOwn() {
    return own != null;
  }

  /** No record will be added any more. */
  void markComplete() {
    complete = true;
  }

  @Nullable Spool own() {
    return own;
  }

  long settled() {
    return settled;
  }

  long appended() {
    return appended;
  }

  /** Begins, or begins again, with a record; everything below is settled. */
  void startAt(long sequence) {
    settled = sequence;
    appended = sequence;
    missing = 0;
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

  /** What was appended and is not settled may be missing after a power cut: it counts as lost. */
  void doubt() {
    missing = appended - settled;
  }

  /** Everything appended is in the log for good; the account is told. */
  void settle(ShipmentAccount account) {
    long arrived = appended - settled - missing;
    long gone = missing;
    settled = appended;
    missing = 0;
    if (isOwn()) {
      account.settled(arrived);
      account.lost(gone);
      account.reached(firstNumber + settled);
    } else {
      account.recovered(arrived);
      account.orphanShipped(source.instanceId(), settled, gone);
    }
  }

  /** What {@link #leaveMark} of this or another process said; 0 when it never did. */
  long shippedMark() throws IOException {
    try (CheckpointFile mark = markFile()) {
      Checkpoint last = mark.load();
      String fault = mark.takeFault();
      if (fault != null) {
        markFault = fault;
      }
      return last != null && last.instance().equals(source.instanceId()) ? last.sequence() : 0;
    }
  }

  /** Whether a mark says that everything below this sequence is shipped. */
  boolean isMarked(long sequence) {
    try {
      return shippedMark() >= sequence;
    } catch (IOException e) {
      return false; // the checkpoint knows
    }
  }

  /** What {@link #shippedMark} found instead of a mark, told once; null when nothing was wrong. */
  @Nullable String takeMarkFault() {
    String taken = markFault;
    markFault = null;
    return taken;
  }

  /**
   * Notes in the spool itself how far it is settled, because the checkpoint of its home will name
   * another spool.
   */
  void leaveMark() throws IOException {
    try (CheckpointFile mark = markFile()) {
      mark.load();
      mark.save(
          new Checkpoint(
              State.RECORDS, source.instanceId(), settled, new Position("", 0), Anchor.NONE));
    }
  }

  /** Takes the room that {@link #leaveMark} needs while there is some. */
  void reserveMark() throws IOException {
    try (CheckpointFile mark = markFile()) {
      mark.reserve();
    }
  }

  private CheckpointFile markFile() {
    return new CheckpointFile(home.disk(), source.path().resolve("shipped"), home.isDurable());
  }

  /** Whether it is a spool of ours that was left before anything was written to it. */
  boolean isUnused() {
    return complete && own != null && own.writer().publishedSequence() == 0;
  }

  /** Whether nothing is left to ship, now or ever. */
  boolean isExhausted() throws IOException {
    return (complete || own == null) && settled >= SpoolReadException.limitOf(source);
  }

  /** Ends its use and keeps what is in it; the account is told what that is. */
  void leave(ShipmentAccount account) {
    long limit = own == null ? -1 : own.writer().publishedSequence();
    account.left(source.instanceId(), settled, limit); // before anybody can take it
    handOver();
  }

  /** Frees the spool and keeps what is in it, for the next appender. */
  void handOver() {
    if (own == null) {
      source.close();
    } else {
      own.close();
    }
  }

  /** Whether its directory was deleted or unmounted, and nobody writes to it any more. */
  boolean isRemoved() throws IOException {
    return (complete || own == null) && home.disk().stat(source.path()) == null;
  }

  /** Whether nobody can ship what is left of it when this process has ended. */
  boolean isLostWithProcess() {
    return !home.disk().outlivesProcess();
  }

  /** The process may end at any moment now: what is in its memory only is given up. */
  void tellLost(ShipmentAccount account) {
    long left = own == null ? 0 : own.writer().publishedSequence() - appended;
    if (left > 0) {
      account.warn(
          "%d events were spooled in the heap and could not be written to the log in time; they are lost"
              .formatted(left));
    }
  }

  /** Gives up the rest, which cannot be read any more. */
  void abandon(ShipmentAccount account) {
    if (own != null) {
      skip(own.writer().publishedSequence() - appended);
    }
    settle(account);
    if (own == null) {
      account.orphanShipped(source.instanceId(), Long.MAX_VALUE, Long.MAX_VALUE);
    }
    if (isLostWithProcess()) {
      freeMemory();
    } else {
      handOver();
    }
  }

  /** Whoever keeps a stopped appender shall not keep its records. */
  private void freeMemory() {
    try {
      discard();
    } catch (IOException e) {
      handOver();
    }
  }

  /** Deletes the spool, which is shipped. */
  void discard() throws IOException {
    if (own == null) {
      source.discard();
    } else {
      own.discard();
    }
  }
}
