package dev.forebay.tiered.file;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.file.Checkpoint.State;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.Progress;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.spool.ReadOutcome;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

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

  private static final int BATCH_BYTES = 256 * 1024;

  /** Others who change the log are warned of again after so long without a change. */
  private static final long WARN_AGAIN_NS = 60_000_000_000L;

  private final LogFile log;
  private final Consumer<String> warnings;
  private final LogLock lock;
  private final RecordWriter writer;
  private final TailRecovery tail;
  private final NanoClock clock;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);

  /** Whether the active file holds nothing but a header. */
  private boolean sectionEmpty;

  /** How many records were appended. */
  private long written;

  /** When others were last seen to change the log. */
  private long changedNs;

  /**
   * A destination that touches nothing yet.
   *
   * @param identity the log's path, the same across rolls and restarts; its lock lies beside it
   * @param forces whether records must be on the disk before they are committed
   */
  public FileDestination(RollingLog log, Path identity, boolean forces, NanoClock clock) {
    this(log, log, identity, forces, clock);
  }

  /**
   * As the other, for records whose first part may already be in a {@code former} log, which is
   * read too and never changed.
   */
  public FileDestination(
      RollingLog log, RollingLog former, Path identity, boolean forces, NanoClock clock) {
    this(log, former, log.lock(identity), forces, log.warnings(), clock);
  }

  /** A destination that is one file, kept and never rolled, without header or footer. */
  public static FileDestination plain(
      Disk disk, Path file, Consumer<String> warnings, NanoClock clock) {
    RollingLog log = new RollingLog(LogSettings.plain(disk, file.toString(), warnings));
    return new FileDestination(log, file, true, clock);
  }

  FileDestination(
      LogFile log,
      LogFile former,
      LogLock lock,
      boolean forces,
      Consumer<String> warnings,
      NanoClock clock) {
    this.log = log;
    this.warnings = warnings;
    this.lock = lock;
    this.writer = new RecordWriter(log, batch, forces);
    this.tail = new TailRecovery(log, former, writer, warnings, batch);
    this.clock = clock;
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
  public boolean lock() {
    return lock.take();
  }

  @Override
  public Progress progressIn(SpoolDirectory directory) {
    return progressOf(directory);
  }

  /** How far the spools of a directory are in the log they are for; nothing is read yet. */
  public static Progress progressOf(SpoolDirectory directory) {
    return new CheckpointFile(directory);
  }

  @Override
  public long dueInNs(long nowMs) {
    return log.settledForNs(nowMs);
  }

  @Override
  public long uncommittedBytes(Records records) {
    return writer.uncommittedBytes(records);
  }

  /**
   * Finds out from the checkpoint and the log which of a spool's records are in the log already.
   */
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
    writer.reset();
    Checkpoint last = CheckpointFile.of(next).load();
    boolean isNamed = last != null && last.names(next.instance());
    if (next.hasUncommitted() && !isNamed) {
      warnings.accept(
          "Another process shipped to %s in the meantime: up to %d lines may be duplicated"
              .formatted(log.name(), next.appended() - next.committed()));
    }
    next.startAt(last == null ? 0 : last.firstUncommitted(next.instance()));
    if (last != null && isNamed && last.state() != State.BOUNDARY) {
      long found = tail.find(next, last);
      next.append(found);
      next.seek(found);
    }
  }

  @Override
  public int copy(Records records) throws IOException {
    if (!log.isUndisturbed() && !follow(records)) {
      leave(records);
      return LOST;
    }
    rollIfDue(records);
    if (!readBatch(records)) {
      return 0;
    }
    writer.append(records);
    sectionEmpty = false;
    tail.worked();
    written += batch.count();
    return batch.count();
  }

  /** A log that is idle over midnight is rolled too, unless its file has no records. */
  private void rollIfDue(Records records) throws IOException {
    if (sectionEmpty && records.isDrained()) {
      log.rollIsNeedless();
    } else if (log.isRollDue()) {
      roll(records);
    }
  }

  private boolean readBatch(Records records) throws IOException {
    long maxBytes = Math.max(1, Math.min(BATCH_BYTES, log.bytesUntilRoll()));
    ReadOutcome outcome = records.read(batch, maxBytes);
    while (outcome instanceof ReadOutcome.Gap gap) {
      records.skip(gap);
      commit(records); // so that a comparison never has to reach over a gap
      outcome = records.read(batch, maxBytes);
    }
    return outcome instanceof ReadOutcome.Records;
  }

  @Override
  public void commit(Records records) throws IOException {
    writer.commit(records);
  }

  @Override
  public void suspend(Records records) throws IOException {
    writer.quiesce(records);
  }

  private void begin(Records records) throws IOException {
    writer.quiesce(records);
    log.begin();
    writer.resume(records);
  }

  private void roll(Records records) throws IOException {
    writer.quiesce(records);
    log.roll();
    writer.resume(records);
    sectionEmpty = true;
  }

  /**
   * If others have only appended, the next batch follows without a second check: a process that
   * appends constantly must not block shipping.
   *
   * @return false if they did anything else
   */
  private boolean follow(Records records) throws IOException {
    if (!log.followAppends()) {
      return false;
    }
    changedByOthers("is also written to by others; continuing after their lines");
    writer.appendedOther();
    begin(records);
    sectionEmpty = false;
    return true;
  }

  /**
   * Others moved, removed or changed the log. Unless they removed it, everything appended still
   * exists, at a place that only they know: it is committed there. Shipping continues at the end of
   * the log as found when it is reopened.
   */
  private void leave(Records records) throws IOException {
    changedByOthers("was moved, removed or changed by others; reopening it");
    if (!log.isRemoved()) {
      writer.quiesce(records);
      log.close();
    }
  }

  private void changedByOthers(String what) {
    long nowNs = clock.nanoTime();
    if (nowNs - changedNs >= WARN_AGAIN_NS) {
      warnings.accept(log.name() + " " + what);
    }
    changedNs = nowNs;
  }

  /** Records in the log count if they can be forced. */
  @Override
  public boolean abandon(Records records) throws IOException {
    return writer.abandon(records);
  }

  /** Writes the footer. */
  @Override
  public void end() throws IOException {
    log.end();
  }

  @Override
  public void close() {
    log.stop();
    lock.close();
  }
}
