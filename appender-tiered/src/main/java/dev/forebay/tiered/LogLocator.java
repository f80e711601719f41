package dev.forebay.tiered;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.LogIdentity;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which log this is, on the shipper's thread before that does anything else: following
 * the links in a path may take as long as the log's disk hangs. The spool does not wait that long.
 */
final class LogLocator {

  private static final long PATIENCE_NS = 250_000_000;

  private final Disk disk;
  private final Path log;

  /** Written once, by the shipper's thread. */
  private volatile @Nullable LogIdentity located;

  // Of the flusher's thread.
  private boolean asked;
  private long askedNs;

  LogLocator(Disk disk, Path log) {
    this.disk = disk;
    this.log = log;
  }

  /**
   * The log that a spool made now is for; null if that is not yet known and will be soon. The
   * flusher's thread.
   */
  @Nullable LogIdentity find(long nowNs) {
    LogIdentity known = located;
    if (known != null) {
      return known;
    }
    if (!asked) {
      asked = true;
      askedNs = nowNs;
    }
    return nowNs - askedNs < PATIENCE_NS ? null : LogIdentity.unresolved(disk, log);
  }

  /** Whether a log that {@link #find} named while the disk hung turned out to be another one. */
  boolean isOther(LogIdentity named) {
    LogIdentity known = located;
    return known != null && !known.equals(named);
  }

  /** Follows the path now. The shipper's thread. */
  void locate() {
    if (located == null) {
      located = LogIdentity.of(disk, log);
    }
  }

  /** What {@link #locate} found. */
  LogIdentity located() {
    return Objects.requireNonNull(located, "not yet located");
  }
}
