package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the log behind a checkpoint: found out, and cut back where it cannot stay. For the
 * shipper's thread.
 */
final class TailRecovery {

  private final Destination destination;
  private final Committer committer;
  private final ShippingListener listener;
  private final RecordBatch scratch;

  TailRecovery(
      Destination destination,
      Committer committer,
      ShippingListener listener,
      RecordBatch scratch) {
    this.destination = destination;
    this.committer = committer;
    this.listener = listener;
    this.scratch = scratch;
  }

  /**
   * How far a spool's records got; leaves it positioned anywhere.
   *
   * @return null where they go on at the checkpoint. Bytes of a next record are in the active file.
   */
  TailComparison.Result.@Nullable Prefix find(SpoolTransfer transfer, Checkpoint last)
      throws IOException {
    Checkpoint from = last;
    DiskFile log = destination.openForReading(last.end());
    boolean isGone = log == null && last.state() == State.RECORDS;
    if (isGone) { // an editor puts a copy in its place
      from = last.movedTo(destination.position().fileKey());
      log = destination.openForReading(from.end());
    }
    if (log == null) {
      warnOfGone(transfer, last);
      return null;
    }
    TailComparison.Result result;
    long size;
    try (DiskFile opened = log) {
      size = opened.size();
      result = TailComparison.of(opened, from, transfer, scratch);
      if (isGone && !isCopy(result, from)) {
        warnOfGone(transfer, last);
        return null;
      }
      if (from.state() == State.RECORDS && holdsOurs(result, from) && !isActive(from.end())) {
        committer.forceMoved(transfer, opened);
      }
    }
    if (result instanceof TailComparison.Result.Prefix prefix) {
      return continueBehind(from, prefix, size);
    }
    if (result instanceof TailComparison.Result.Holed) {
      cutBack(from.end());
    } else if (result instanceof TailComparison.Result.Foreign foreign) {
      return continueBehindOthers(transfer, from, foreign);
    }
    return null;
  }

  private void warnOfGone(SpoolTransfer transfer, Checkpoint last) throws IOException {
    long left = transfer.countFrom(last.next().sequence());
    listener.warn(
        left == 0
            ? "The file that %s continued is gone; what was in it is not written again"
                .formatted(destination.name())
            : "The file that %s continued is gone; of what was in it up to %d lines are written again, those that are still in the spool"
                .formatted(destination.name(), left));
  }

  /** Whether a file that took the log's place holds something of it, at the same offset. */
  private static boolean isCopy(TailComparison.Result result, Checkpoint from) {
    return result.next() > from.next().sequence()
        || (result instanceof TailComparison.Result.Prefix prefix
            && (prefix.bytesOfNext() > 0 || from.anchor().length() > 0));
  }

  private static boolean holdsOurs(TailComparison.Result result, Checkpoint from) {
    return result instanceof TailComparison.Result.Prefix || result.next() > from.next().sequence();
  }

  /** Records that stand whole before the bytes of others count; those behind are written again. */
  private TailComparison.Result.@Nullable Prefix continueBehindOthers(
      SpoolTransfer transfer, Checkpoint from, TailComparison.Result.Foreign foreign)
      throws IOException {
    boolean isPartOurs = from.state() == State.RECORDS && foreign.next() > from.next().sequence();
    if (!destination.wasEmptied()) {
      listener.warn(
          isPartOurs
              ? "%s was written to by others too; going on behind their lines"
                  .formatted(destination.name())
              : "%s was changed by others: %s; up to %d lines since the last checkpoint may be doubled"
                  .formatted(
                      destination.name(),
                      foreign.reason(),
                      transfer.countFrom(from.next().sequence())));
    }
    return isPartOurs ? new TailComparison.Result.Prefix(foreign.next(), 0) : null;
  }

  private TailComparison.Result.@Nullable Prefix continueBehind(
      Checkpoint last, TailComparison.Result.Prefix prefix, long size) throws IOException {
    if (last.state() == State.UNFORCED) {
      cutBack(last.end());
      return null;
    }
    if (prefix.bytesOfNext() > 0 && !isActive(last.end())) {
      cutBack(new Position(last.end().fileKey(), size - prefix.bytesOfNext()));
      return new TailComparison.Result.Prefix(prefix.next(), 0);
    }
    return prefix;
  }

  /** Cuts the active file, or one it was before, back to a position in it. */
  private void cutBack(Position to) throws IOException {
    if (isActive(to)) {
      destination.truncate(to.offset());
    } else {
      destination.truncateMoved(to);
    }
  }

  private boolean isActive(Position position) {
    return destination.position().fileKey().equals(position.fileKey());
  }
}
