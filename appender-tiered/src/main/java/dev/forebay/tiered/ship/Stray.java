package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory with spools of a log other than ours. For the shipper's thread. */
public final class Stray {

  private static final long FORGOTTEN_AFTER_MS = 600_000;

  private final SpoolDirectory directory;
  private final boolean reports;

  /** Nothing is read before a method needs it. */
  public Stray(SpoolDirectory directory, boolean reports) {
    this.directory = directory;
    this.reports = reports;
  }

  SpoolDirectory directory() {
    return directory;
  }

  /** The directory. */
  public Path path() {
    return directory.path();
  }

  /**
   * Whether it is reported to the user if it stays. Not within 10 minutes of its last write: its
   * own process may be about to restart.
   */
  boolean reports(long nowMs) throws IOException {
    return reports && nowMs - directory.lastWrittenMs() >= FORGOTTEN_AFTER_MS;
  }

  /** Which log it is for; null if none of its spools says so. */
  public @Nullable LogNote note() throws IOException {
    return directory.note();
  }

  /**
   * How many records of dead processes are not shipped; 0 also while another process ships them.
   * Deletes spools without unshipped records, and the directory once it is empty.
   *
   * @param nowMs the time now, milliseconds since the epoch
   */
  public long unshipped(long nowMs) throws IOException {
    if (directory.isInUse()) {
      return 0;
    }
    ShipLease lease = new ShipLease(directory);
    try {
      return lease.take() ? unshipped(lease, nowMs) : 0;
    } finally {
      lease.close();
    }
  }

  private static long unshipped(ShipLease lease, long nowMs) throws IOException {
    long records = 0;
    List<RecordSource> orphans = lease.orphans(nowMs);
    Checkpoint last = lease.checkpoint().load();
    try {
      for (RecordSource orphan : orphans) {
        records += unshippedOrDelete(orphan, last);
      }
    } finally {
      orphans.forEach(RecordSource::close);
    }
    return records;
  }

  private static long unshippedOrDelete(RecordSource orphan, @Nullable Checkpoint last)
      throws IOException {
    long shipped = last == null ? 0 : last.firstUncommitted(orphan.instanceId());
    orphan.seek(shipped);
    long left = orphan.limitSequence() - shipped;
    if (left == 0) {
      orphan.discard();
    }
    return left;
  }
}
