package dev.forebay.tiered.file;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.Checkpoint.Anchor;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.State;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The destination that is a log of files. Every record arrives exactly once.
 *
 * <p>The invariant: after the checkpoint's end, the log holds the first bytes of the spool's
 * records from the checkpoint's sequence on, and nothing else. So the order is: append, force,
 * checkpoint, release from the spool. Headers, footers and rolling happen only while nothing is
 * uncommitted, under a checkpoint that says so. After every failure, and after a crash, {@link
 * #take} reads from the log itself how far the records got, cuts off what is not a whole one and
 * continues there.
 */
public final class FileDestination implements Destination {

  /** Also the most that is written at a time: a channel copies what is in the heap. */
  private static final int BATCH_BYTES = 256 * 1024;

  private static final int ANCHOR_BYTES = 64;

  /** After this long without a foreign change of the log, the next one is reported again. */
  private static final long WARN_AGAIN_NS = 60_000_000_000L;

  private final RollingLog log;
  private final boolean forces;
  private final NanoClock clock;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);
  private final TailRecovery tail;

  /** The anchor of the last record, if nothing else was written after it. */
  private Anchor anchor = Anchor.NONE;

  /** The position after the last byte of a record, or of so much of one that is torn. */
  private Position end = Position.NOWHERE;

  private int tornBytes;

  /** Whether the active file holds nothing but a header. */
  private boolean sectionEmpty;

  private long written;

  /** When another process was last seen to change the log. */
  private long changedNs;

  /** Touches nothing yet. If it forces, records are on the disk before they are committed. */
  public FileDestination(RollingLog log, boolean forces, NanoClock clock) {
    this(log, log, forces, clock);
  }

  /** For records whose first part may be in a {@code former} log, which is never changed. */
  public FileDestination(RollingLog log, RollingLog former, boolean forces, NanoClock clock) {
    this.log = log;
    this.forces = forces;
    this.clock = clock;
    this.tail = new TailRecovery(log, former, forces, batch);
    this.changedNs = clock.nanoTime() - WARN_AGAIN_NS;
  }

  @Override
  public String name() {
    return log.name();
  }

  /** How many records were appended; those found there do not count. */
  public long written() {
    return written;
  }

  @Override
  public boolean survivesPowerCuts() {
    return true;
  }

  /** False if opening empties the file: it would lose what was shipped through another one. */
  @Override
  public boolean canShare() {
    return !log.empties();
  }

  @Override
  public long dueInNs(long nowMs) {
    return log.settledForNs(nowMs);
  }

  @Override
  public long uncommittedBytes(Records records) {
    Checkpoint last = records.ownCheckpoint();
    return last == null ? 0 : log.position().offset() - last.end().offset();
  }

  @Override
  public void take(Records records, boolean isLost) throws IOException {
    if (isLost) {
      log.close();
      log.open();
    }
    recover(records);
    if (isLost) {
      sectionEmpty = log.position().offset() == 0;
      begin(records);
    } else {
      commit(records);
    }
  }

  private void recover(Records next) throws IOException {
    anchor = Anchor.NONE;
    tornBytes = 0;
    Checkpoint last = next.checkpoint();
    boolean isNamed = last != null && last.names(next.instance());
    if (next.hasUncommitted() && !isNamed) {
      log.voice()
          .warn(
              "Another process shipped to %s in the meantime: up to %d lines may be duplicated"
                  .formatted(log.name(), next.appended() - next.committed()));
    }
    next.restart();
    if (last != null && isNamed && last.state() != State.BOUNDARY) {
      long found = tail.find(next, last);
      next.append(found);
      next.seek(found);
    }
  }

  @Override
  public int copy(Records records) throws IOException {
    if (!log.isUndisturbed() && !follow(records)) {
      closeChanged(records);
      return LOST;
    }
    rollIfDue(records);
    long maxBytes = Math.min(BATCH_BYTES, log.bytesUntilRoll());
    while (records.skip(batch, maxBytes)) {
      commit(records); // so that a comparison never has to reach over a gap
    }
    if (batch.count() == 0) {
      return 0;
    }
    append(records);
    sectionEmpty = false;
    int count = batch.count();
    written += count;
    batch.clear();
    return count;
  }

  /** A log that is idle over midnight is rolled too, unless its file has no records. */
  private void rollIfDue(Records records) throws IOException {
    if (sectionEmpty && records.isDrained()) {
      log.rollIsNeedless();
    } else if (log.isRollDue()) {
      suspend(records);
      log.roll();
      resume(records);
      sectionEmpty = true;
    }
  }

  /** Appends all of the batch. If it throws, the first of its records may be in the log. */
  private void append(Records records) throws IOException {
    ByteBuffer rest = batch.payload();
    try {
      while (rest.hasRemaining()) {
        int most = Math.min(rest.remaining(), BATCH_BYTES);
        int count = log.append(rest.slice(rest.position(), most));
        if (count <= 0) {
          throw new IOException(
              "%s accepted none of %d bytes".formatted(log.name(), rest.remaining()));
        }
        rest.position(rest.position() + count);
        end = log.position();
      }
    } catch (IOException e) {
      int complete = batch.recordsWithin(rest.position());
      records.append(batch.firstSequence() + complete);
      tornBytes = rest.position() - batch.byteCount(complete);
      throw e;
    }
    records.append(batch.nextSequence());
    anchor = Anchor.of(rest.position(rest.limit() - Math.min(ANCHOR_BYTES, rest.limit())));
  }

  @Override
  public void commit(Records records) throws IOException {
    commit(records, State.RECORDS);
  }

  /** Commits, so that something other than records may follow. */
  @Override
  public void suspend(Records records) throws IOException {
    commit(records, State.BOUNDARY);
    anchor = Anchor.NONE;
  }

  private void commit(Records records, State next) throws IOException {
    force(records);
    records.save(next, log.position(), anchor);
    records.commit();
  }

  private void begin(Records records) throws IOException {
    suspend(records);
    log.begin();
    resume(records);
  }

  private void resume(Records records) throws IOException {
    if (records.survivesPowerCuts()) {
      force(records); // a checkpoint that survives a power cut must not name bytes that do not
    }
    records.save(State.RECORDS, log.position(), anchor);
  }

  private void force(Records records) throws IOException {
    // A start on an empty log costs no flush, unless a checkpoint on a disk names the log.
    boolean hasNone =
        log.isUntouched() && !records.hasUncommitted() && !records.survivesPowerCuts();
    if (forces && !hasNone) {
      try {
        log.force();
      } catch (IOException e) {
        records.markUnforced();
        throw e;
      }
    }
  }

  /**
   * If other processes have only appended, the next batch follows without a second check: a process
   * that appends constantly must not block shipping. False if they did anything else.
   */
  private boolean follow(Records records) throws IOException {
    if (!log.followAppends()) {
      return false;
    }
    changedByOthers("is also written to by others; continuing after their lines");
    anchor = Anchor.NONE;
    begin(records);
    sectionEmpty = false;
    return true;
  }

  /**
   * Another process moved, removed or changed the log. Unless it was removed, what was appended
   * still exists, under an unknown name: it is committed there, and the log reopened.
   */
  private void closeChanged(Records records) throws IOException {
    changedByOthers("was moved, removed or changed by others; reopening it");
    if (!log.isRemoved()) {
      suspend(records);
      log.close();
    }
  }

  private void changedByOthers(String what) {
    long nowNs = clock.nanoTime();
    if (nowNs - changedNs >= WARN_AGAIN_NS) {
      log.voice().warn(log.name() + " " + what);
    }
    changedNs = nowNs;
  }

  /**
   * Cuts a torn record off, unless another process wrote after it. Records in the log count if they
   * can be forced: not after a force of them that failed.
   */
  @Override
  public boolean abandon(Records records) throws IOException {
    if (tornBytes > 0) {
      log.close(); // to see where the file ends now
      log.open();
      Position now = log.position();
      if (now.fileKey().equals(end.fileKey()) && now.offset() == end.offset()) {
        log.truncate(new Position(end.fileKey(), end.offset() - tornBytes));
      }
      tornBytes = 0;
    }
    if (forces && records.hasUncommitted()) {
      Checkpoint last = records.ownCheckpoint();
      log.open();
      if (last != null && last.state() == State.UNFORCED
          || !log.position().fileKey().equals(end.fileKey())) {
        return false;
      }
      log.force();
    }
    return true;
  }

  @Override
  public void end() throws IOException {
    log.end();
  }

  @Override
  public void close() {
    log.stop();
  }
}
