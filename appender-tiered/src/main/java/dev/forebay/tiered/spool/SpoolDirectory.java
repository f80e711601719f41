package dev.forebay.tiered.spool;

import dev.forebay.tiered.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directory that holds the spools of one log file, of all processes that write to it.
 *
 * <p>Safe for any thread. Only the holder of the {@link #tryShipLock ship lock} may call {@link
 * #orphans} and {@link #cleanUp}.
 */
public final class SpoolDirectory {
  SpoolDirectory() {}

  /**
   * Finds or creates the directory below {@code base}. Directories are created with mode 0700; one
   * that exists is used only if it is a real directory of this user with that mode, otherwise
   * another name is taken and a {@link #takeWarnings warning} says so.
   *
   * @param base an existing directory, on tmpfs if possible, of this user or of root
   * @param logFile the log the spooled records are for; only its absolute path matters
   * @throws SpoolUnusableException when {@code base} cannot hold a spool
   */
  public static SpoolDirectory open(Disk disk, Path base, Path logFile) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The directory. */
  public Path path() {
    throw new UnsupportedOperationException();
  }

  /**
   * Things found that are not as they should be and were worked around, each told once: the
   * warnings since the last call.
   */
  public List<String> takeWarnings() {
    throw new UnsupportedOperationException();
  }

  /** Takes the lock of the one shipper of this log file; null while somebody else holds it. */
  public @Nullable SpoolLock tryShipLock() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Creates an empty spool of our own, locked before anybody else can see it. */
  public Spool createSpool(SpoolLimits limits) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes over the spools whose owner is gone, oldest first. Each is locked until it is closed or
   * discarded; spools of living owners, in this process or another, are not in the list. What is
   * not a spool of ours is left alone and reported as a warning.
   */
  public List<RecordSource> orphans() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Deletes what crashes left behind: completely shipped spools, unfinished new ones, and
   * quarantined segments beyond their limits (16 MB together, 7 days).
   *
   * @param nowMs the time now, milliseconds since the epoch
   */
  public void cleanUp(long nowMs) throws IOException {
    throw new UnsupportedOperationException();
  }
}
