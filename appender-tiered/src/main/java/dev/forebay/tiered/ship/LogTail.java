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
final class LogTail {

  private final Destination destination;
  private final Settlement settlement;
  private final ShipmentAccount account;
  private final RecordBatch scratch;

  LogTail(
      Destination destination,
      Settlement settlement,
      ShipmentAccount account,
      RecordBatch scratch) {
    this.destination = destination;
    this.settlement = settlement;
    this.account = account;
    this.scratch = scratch;
  }

  /**
   * How far a cargo's records got; leaves its source positioned anywhere.
   *
   * @return null where they go on at the checkpoint. Bytes of a next record are in the active file.
   */
  TailMatch.Result.@Nullable Prefix find(Cargo cargo, Checkpoint last) throws IOException {
    DiskFile log = destination.openForReading(last.end());
    if (log == null) {
      long left = SpoolReadException.limitOf(cargo.source()) - last.sequence();
      account.warn(
          left == 0
              ? "The file that %s continued is gone; what was in it is not written again"
                  .formatted(destination.name())
              : "The file that %s continued is gone; of what was in it up to %d lines are written again, those that are still in the spool"
                  .formatted(destination.name(), left));
      return null;
    }
    TailMatch.Result result;
    long size;
    try (log) {
      size = log.size();
      result = TailMatch.of(log, last, cargo.source(), scratch);
      if (result instanceof TailMatch.Result.Prefix
          && last.state() == State.RECORDS
          && !isActive(last.end())) {
        settlement.forceMoved(cargo, log);
      }
    }
    if (result instanceof TailMatch.Result.Prefix prefix) {
      return continueBehind(last, prefix, size);
    }
    if (result instanceof TailMatch.Result.Holed) {
      cutBack(last.end());
    } else if (result instanceof TailMatch.Result.Foreign foreign && !destination.wasEmptied()) {
      account.warn(
          "%s was changed by others: %s; up to %d lines since the last checkpoint may be doubled"
              .formatted(
                  destination.name(),
                  foreign.reason(),
                  SpoolReadException.limitOf(cargo.source()) - last.sequence()));
    }
    return null;
  }

  private TailMatch.Result.@Nullable Prefix continueBehind(
      Checkpoint last, TailMatch.Result.Prefix prefix, long size) throws IOException {
    if (last.state() == State.UNFORCED) {
      cutBack(last.end());
      return null;
    }
    if (prefix.bytesOfNext() > 0 && !isActive(last.end())) {
      cutBack(new Position(last.end().fileKey(), size - prefix.bytesOfNext()));
      return new TailMatch.Result.Prefix(prefix.sequence(), 0);
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
