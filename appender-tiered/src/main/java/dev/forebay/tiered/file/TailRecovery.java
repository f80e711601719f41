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
  private final Committer committer;
  private final Consumer<String> warnings;
  private final RecordBatch scratch;

  /**
   * @param former where a file is looked for that the active log does not have; never changed
   */
  TailRecovery(
      LogFile active,
      LogFile former,
      Committer committer,
      Consumer<String> warnings,
      RecordBatch scratch) {
    this.active = active;
    this.former = former;
    this.committer = committer;
    this.warnings = warnings;
    this.scratch = scratch;
  }

  /**
   * Finds out how many of a spool's records are in the log; leaves the spool positioned anywhere.
   *
   * @return null if shipping continues at the checkpoint. Bytes of a partial next record are in the
   *     active file.
   */
  TailComparison.Result.@Nullable Prefix find(Records records, Checkpoint last) throws IOException {
    Checkpoint from = last;
    DiskFile log = open(last);
    boolean isGone = log == null && last.state() == State.RECORDS;
    if (isGone) { // an editor replaces a file by a copy
      from = last.movedTo(active.position().fileKey());
      log = open(from);
    }
    if (log == null) {
      warnOfGone(records, last);
      return null;
    }
    TailComparison.Result result;
    long size;
    try (DiskFile opened = log) {
      size = opened.size();
      result = TailComparison.of(opened, from, records, scratch);
      if (isGone && !isCopy(result, from)) {
        warnOfGone(records, last);
        return null;
      }
      if (from.state() == State.RECORDS && holdsOurs(result, from) && !isActive(from.end())) {
        committer.forceMoved(records, opened);
      }
    }
    if (result instanceof TailComparison.Result.Prefix prefix) {
      return continueAfter(from, prefix, size);
    }
    if (result instanceof TailComparison.Result.Holed) {
      active.truncate(from.end());
    } else if (result instanceof TailComparison.Result.Foreign foreign) {
      return continueAfterOthers(records, from, foreign);
    }
    return null;
  }

  private @Nullable DiskFile open(Checkpoint from) throws IOException {
    try {
      DiskFile found = active.openForReading(from.end());
      return found == null && former != active ? former.openForReading(from.end()) : found;
    } catch (AccessDeniedException e) {
      throw new UnreadableException(e);
    }
  }

  private void warnOfGone(Records records, Checkpoint last) throws IOException {
    long left = records.countFrom(last.next().sequence());
    warnings.accept(
        left == 0
            ? "The previous file of %s is gone; its lines are no longer in the spool and are not written again"
                .formatted(active.name())
            : "The previous file of %s is gone; up to %d of its lines are still in the spool and are written again"
                .formatted(active.name(), left));
  }

  /** Whether a file that replaced the log holds a part of it at the same offset. */
  private static boolean isCopy(TailComparison.Result result, Checkpoint from) {
    return result.next() > from.next().sequence()
        || (result instanceof TailComparison.Result.Prefix prefix
            && (prefix.bytesOfNext() > 0 || from.anchor().length() > 0));
  }

  private static boolean holdsOurs(TailComparison.Result result, Checkpoint from) {
    return result instanceof TailComparison.Result.Prefix || result.next() > from.next().sequence();
  }

  /** Whole records before the bytes of others count; those after are written again. */
  private TailComparison.Result.@Nullable Prefix continueAfterOthers(
      Records records, Checkpoint from, TailComparison.Result.Foreign foreign) throws IOException {
    boolean isPartOurs = from.state() == State.RECORDS && foreign.next() > from.next().sequence();
    if (!active.wasEmptied()) {
      warnings.accept(
          isPartOurs
              ? "%s was also written to by others; continuing after their lines"
                  .formatted(active.name())
              : "%s was changed by others: %s; up to %d lines since the last checkpoint may be duplicated"
                  .formatted(
                      active.name(), foreign.reason(), records.countFrom(from.next().sequence())));
    }
    return isPartOurs ? new TailComparison.Result.Prefix(foreign.next(), 0) : null;
  }

  private TailComparison.Result.@Nullable Prefix continueAfter(
      Checkpoint last, TailComparison.Result.Prefix prefix, long size) throws IOException {
    if (last.state() == State.UNFORCED) {
      active.truncate(last.end());
      return null;
    }
    if (prefix.bytesOfNext() > 0 && !isActive(last.end())) {
      active.truncate(new Position(last.end().fileKey(), size - prefix.bytesOfNext()));
      return new TailComparison.Result.Prefix(prefix.next(), 0);
    }
    return prefix;
  }

  private boolean isActive(Position position) {
    return active.position().fileKey().equals(position.fileKey());
  }
}
