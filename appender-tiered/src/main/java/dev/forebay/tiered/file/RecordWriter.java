package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.file.Checkpoint.Anchor;
import dev.forebay.tiered.file.Checkpoint.State;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Appends a batch of records to the log and commits it: forces the log and saves the progress in
 * the checkpoint; then the records are free. Knows where a batch was interrupted. For the shipper's
 * thread.
 */
final class RecordWriter {

  private static final int ANCHOR_BYTES = 64;

  /** A channel copies what is in the heap to direct memory before it writes. */
  private static final int WRITE_BYTES = 256 * 1024;

  private final LogFile log;
  private final RecordBatch batch;
  private final boolean forces;
  private Anchor anchor = Anchor.NONE;

  /** What an interrupted batch has left to append; null if none was interrupted. */
  private @Nullable ByteBuffer pending;

  /** The position after the last byte appended. */
  private Position end = new Position("", 0);

  /**
   * @param batch what is appended; others may use it between batches
   * @param forces whether records must be on the disk before they are committed
   */
  RecordWriter(LogFile log, RecordBatch batch, boolean forces) {
    this.log = log;
    this.batch = batch;
    this.forces = forces;
  }

  /** Forgets where it was interrupted: the log will be compared with the spool. */
  void reset() {
    pending = null;
    appendedOther();
  }

  /** Appends all of the batch. If it throws, a part of that may be in the log. */
  void append(Records records) throws IOException {
    ByteBuffer rest = batch.payload();
    pending = rest;
    while (rest.hasRemaining()) {
      int bytes = Math.min(rest.remaining(), WRITE_BYTES);
      int written = log.append(rest.slice(rest.position(), bytes));
      rest.position(rest.position() + Math.max(0, written));
      end = log.position();
      if (written <= 0) {
        throw new IOException(
            "%s accepted none of %d bytes".formatted(log.name(), rest.remaining()));
      }
    }
    pending = null;
    records.append(batch.nextSequence());
    int length = Math.min(ANCHOR_BYTES, rest.limit());
    CRC32C crc = new CRC32C();
    crc.update(rest.position(rest.limit() - length));
    anchor = new Anchor(length, (int) crc.getValue());
  }

  /** The log ends with something other than a record. */
  void appendedOther() {
    anchor = Anchor.NONE;
  }

  /** Commits what was appended; more records of the spool may follow. Only at a record boundary. */
  void commit(Records records) throws IOException {
    commit(records, State.RECORDS);
  }

  /** Commits what was appended; something other than records may follow. */
  void quiesce(Records records) throws IOException {
    commit(records, State.BOUNDARY);
    appendedOther();
  }

  private void commit(Records records, State next) throws IOException {
    force(records);
    save(records, next);
    records.commit();
  }

  /** Records follow again, after something else. */
  void resume(Records records) throws IOException {
    if (CheckpointFile.of(records).isDurable()) {
      force(records); // a checkpoint that survives a power cut must not name bytes that do not
    }
    save(records, State.RECORDS);
  }

  /** Forces the log, if that is the policy. */
  private void force(Records records) throws IOException {
    if (forces) {
      try {
        log.force();
      } catch (IOException e) {
        markUnforced(records);
        throw e;
      }
    }
  }

  /** Forces a file that is not the active one; there is no later chance. */
  void forceMoved(Records records, DiskFile moved) throws IOException {
    if (forces) {
      try {
        moved.force();
      } catch (IOException e) {
        markUnforced(records);
        throw e;
      }
    }
  }

  /**
   * After a failed force: the kernel drops the dirty mark of pages it failed to write, so forcing
   * again would succeed and lie. What may not be on disk is written again from the spool.
   */
  private static void markUnforced(Records records) throws IOException {
    Checkpoint last = lastOf(records);
    if (last != null && last.state() == State.RECORDS) {
      CheckpointFile.of(records).saveOrRemember(last.unforced());
    }
  }

  /** The checkpoint of a spool's directory, if it is of this spool. */
  private static @Nullable Checkpoint lastOf(Records records) {
    Checkpoint last = CheckpointFile.of(records).newest();
    return last != null && last.names(records.instance()) ? last : null;
  }

  /**
   * Ends a spool without a second attempt: the whole records of an interrupted batch count, and a
   * torn one is cut off, unless others wrote after it. Then forces what was appended.
   *
   * @return whether it is on the disk or need not be
   */
  boolean abandon(Records records) throws IOException {
    endInterrupted(records);
    if (!forces || !records.hasUncommitted()) {
      return true;
    }
    Checkpoint last = lastOf(records);
    if (last != null && last.state() == State.UNFORCED) {
      return false;
    }
    log.open();
    if (!log.position().fileKey().equals(end.fileKey())) {
      return false;
    }
    log.force();
    return true;
  }

  private void endInterrupted(Records records) throws IOException {
    ByteBuffer rest = pending;
    pending = null;
    if (rest == null) {
      return;
    }
    int complete = batch.recordsWithin(rest.position());
    records.append(batch.firstSequence() + complete);
    long torn = end.offset() - (rest.position() - batch.byteCount(complete));
    if (torn < end.offset()) {
      log.close(); // to see where the file ends now
      log.open();
      if (log.position().equals(end)) {
        log.truncate(new Position(end.fileKey(), torn));
      }
    }
  }

  /** Bytes appended since the last commit of a spool. */
  long uncommittedBytes(Records records) {
    Checkpoint last = lastOf(records);
    return last == null ? 0 : log.position().offset() - last.end().offset();
  }

  /** Saves a spool's progress, and what may follow in the log. */
  private void save(Records records, State state) throws IOException {
    CheckpointFile.of(records)
        .save(
            new Checkpoint(
                state,
                new SpoolPosition(records.instance(), records.appended()),
                pausedBeside(records),
                log.position(),
                anchor));
  }

  /**
   * The position of another spool that the checkpoint must keep: this spool is begun, or was begun,
   * before that one is finished.
   */
  private static SpoolPosition pausedBeside(Records records) throws IOException {
    Checkpoint last = CheckpointFile.of(records).newest();
    if (last == null) {
      return SpoolPosition.NONE;
    }
    boolean switches = !last.names(records.instance());
    if (switches && records.directory().holds(last.next().instance())) {
      return last.next();
    }
    return last.paused().isIn(records.instance()) ? SpoolPosition.NONE : last.paused();
  }
}
