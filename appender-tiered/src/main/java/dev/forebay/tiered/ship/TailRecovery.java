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
    DiskFile log = destination.openForReading(last.end());
    if (log == null) {
      long left = transfer.countFrom(last.next().sequence());
      listener.warn(
          left == 0
              ? "The file that %s continued is gone; what was in it is not written again"
                  .formatted(destination.name())
              : "The file that %s continued is gone; of what was in it up to %d lines are written again, those that are still in the spool"
                  .formatted(destination.name(), left));
      return null;
    }
    TailComparison.Result result;
    long size;
    try (log) {
      size = log.size();
      result = TailComparison.of(log, last, transfer, scratch);
      if (result instanceof TailComparison.Result.Prefix
          && last.state() == State.RECORDS
          && !isActive(last.end())) {
        committer.forceMoved(transfer, log);
      }
    }
    if (result instanceof TailComparison.Result.Prefix prefix) {
      return continueBehind(last, prefix, size);
    }
    if (result instanceof TailComparison.Result.Holed) {
      cutBack(last.end());
    } else if (result instanceof TailComparison.Result.Foreign foreign
        && !destination.wasEmptied()) {
      listener.warn(
          "%s was changed by others: %s; up to %d lines since the last checkpoint may be doubled"
              .formatted(
                  destination.name(),
                  foreign.reason(),
                  transfer.countFrom(last.next().sequence())));
    }
    return null;
  }

  private TailComparison.Result.@Nullable Prefix continueBehind(
      Checkpoint last, TailComparison.Result.Prefix prefix, long size) throws IOException {
    if (last.state() == State.UNFORCED) {
      cutBack(last.end());
      return null;
    }
    if (prefix.bytesOfNext() > 0 && !isActive(last.end())) {
      cutBack(new Position(last.end().fileKey(), size - prefix.bytesOfNext()));
      return new TailComparison.Result.Prefix(prefix.sequence(), 0);
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
