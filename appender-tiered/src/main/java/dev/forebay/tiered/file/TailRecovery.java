package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.UnreadableException;
import dev.forebay.tiered.file.Checkpoint.State;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what follows a checkpoint in the log, and cuts off what cannot stay. For the shipper's
 * thread.
 */
final class TailRecovery {

  private final LogFile active;
  private final LogFile former;
  private final RecordWriter writer;
  private final Consumer<String> warnings;
  private final RecordBatch scratch;

  /** How often in succession the log could not be compared, or cut back. */
  private int failures;

  /**
   * @param former where a file is looked for that the active log does not have; never changed
   */
  TailRecovery(
      LogFile active,
      LogFile former,
      RecordWriter writer,
      Consumer<String> warnings,
      RecordBatch scratch) {
    this.active = active;
    this.former = former;
    this.writer = writer;
    this.warnings = warnings;
    this.scratch = scratch;
  }

  /**
   * Finds out how many of a spool's records are in the log, which ends with a whole one then;
   * leaves the spool positioned anywhere. If the log stays unreadable, shipping continues at the
   * checkpoint; if it cannot be cut back, after a torn line.
   *
   * @return the first record to be appended
   */
  long find(Records records, Checkpoint last) throws IOException {
    long next = last.next().sequence();
    try {
      Checkpoint from = last;
      DiskFile named = open(last);
      boolean isGone = named == null && last.state() == State.RECORDS;
      if (isGone) { // an editor replaces a file by a copy
        from = last.movedTo(active.position().fileKey());
        named = open(from);
      }
      if (named == null) {
        warnOfGone(records, next);
        return next;
      }
      try (DiskFile log = named) {
        TailComparison.Tail tail = TailComparison.of(log, from, records, scratch);
        if (isGone && !isCopy(tail, from, log.size())) {
          warnOfGone(records, next);
          return next;
        }
        if (from.state() == State.RECORDS) {
          next = tail.next();
          forceIfMoved(records, log, from, tail);
        }
        if (tail.foreign() != null) {
          warnOfOthers(records, from, tail);
        } else {
          cut(log, from, from.state() == State.RECORDS ? tail.end() : from.end().offset());
        }
      }
    } catch (UnreadableException e) {
      if (++failures < UnreadableException.MAX_ATTEMPTS) {
        throw e;
      }
      if (failures == UnreadableException.MAX_ATTEMPTS) {
        warnings.accept(
            "%s %s; up to %d lines since the last checkpoint may be duplicated"
                .formatted(active.name(), e.getMessage(), records.countFrom(next)));
      }
    }
    return next;
  }

  /** Something was appended after what was found. */
  void worked() {
    failures = 0;
  }

  private void forceIfMoved(
      Records records, DiskFile log, Checkpoint from, TailComparison.Tail tail) throws IOException {
    boolean holdsOurs = tail.foreign() == null || tail.next() > from.next().sequence();
    if (holdsOurs && !active.position().fileKey().equals(from.end().fileKey())) {
      writer.forceMoved(records, log);
    }
  }

  private @Nullable DiskFile open(Checkpoint from) throws IOException {
    try {
      DiskFile found = active.openForReading(from.end());
      return found == null && former != active ? former.openForReading(from.end()) : found;
    } catch (AccessDeniedException e) {
      throw new UnreadableException(e);
    }
  }

  private void warnOfGone(Records records, long next) throws IOException {
    long left = records.countFrom(next);
    warnings.accept(
        left == 0
            ? "The previous file of %s is gone; its lines are no longer in the spool and are not written again"
                .formatted(active.name())
            : "The previous file of %s is gone; up to %d of its lines are still in the spool and are written again"
                .formatted(active.name(), left));
  }

  /** Whether a file that replaced the log holds a part of it at the same offset. */
  private static boolean isCopy(TailComparison.Tail tail, Checkpoint from, long size) {
    return tail.next() > from.next().sequence()
        || (tail.foreign() == null && (size > from.end().offset() || from.anchor().length() > 0));
  }

  /** Whole records before the bytes of others count; those after are written again. */
  private void warnOfOthers(Records records, Checkpoint from, TailComparison.Tail tail)
      throws IOException {
    if (active.wasEmptied()) {
      return;
    }
    boolean isPartOurs = from.state() == State.RECORDS && tail.next() > from.next().sequence();
    warnings.accept(
        isPartOurs
            ? "%s was also written to by others; continuing after their lines"
                .formatted(active.name())
            : "%s was changed by others: %s; up to %d lines since the last checkpoint may be duplicated"
                .formatted(
                    active.name(), tail.foreign(), records.countFrom(from.next().sequence())));
  }

  private void cut(DiskFile log, Checkpoint from, long endOffset) throws IOException {
    if (log.size() <= endOffset) {
      return;
    }
    try {
      active.truncate(new Position(from.end().fileKey(), endOffset));
    } catch (IOException e) { // only appending may be allowed
      throw new UnreadableException("cannot be cut back to its last whole line", e);
    }
  }
}
