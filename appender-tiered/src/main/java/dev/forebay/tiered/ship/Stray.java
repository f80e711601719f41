package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.LogNote;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory with spools of another log than ours. For the shipper's thread. */
public final class Stray {

  private static final long FORGOTTEN_AFTER_MS = 600_000;

  private final SpoolDirectory directory;
  private final boolean tells;

  /** Looked into when it is asked. */
  public Stray(SpoolDirectory directory, boolean tells) {
    this.directory = directory;
    this.tells = tells;
  }

  SpoolDirectory directory() {
    return directory;
  }

  /** The directory. */
  public Path path() {
    return directory.path();
  }

  /**
   * Whether the user is told of it where it stays. Not of what was written lately: its own process
   * may just be on its way up again.
   */
  boolean tells(long nowMs) throws IOException {
    return tells && nowMs - directory.lastWrittenMs() >= FORGOTTEN_AFTER_MS;
  }

  /** Which log it is for; null where none of its spools says so. */
  public @Nullable LogNote note() throws IOException {
    return directory.note();
  }

  /**
   * How many records of processes that are gone were not shipped; 0 also while somebody ships.
   * Deletes spools without any, and the directory when nothing is left in it.
   *
   * @param nowMs the time now, milliseconds since the epoch
   */
  public long unshipped(long nowMs) throws IOException {
    if (directory.isInUse()) {
      return 0;
    }
    ShipLease lease = new ShipLease(directory);
    try {
      return lease.take() ? unshipped(lease.checkpoint().load(), nowMs) : 0;
    } finally {
      lease.close();
    }
  }

  private long unshipped(@Nullable Checkpoint last, long nowMs) throws IOException {
    directory.cleanUp(nowMs);
    long records = 0;
    List<RecordSource> orphans = directory.orphans();
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
