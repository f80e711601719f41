package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The right to ship the spools of one directory, and the destination's progress with them. For the
 * shipper's thread.
 */
final class ShipLease {

  /** How many queues of this process ship from a directory, or wait to; locked by itself. */
  private static final Map<Path, Integer> SHIPPED = new HashMap<>();

  /** What overflowed to a disk comes first, so one that fails for a moment is tried again. */
  private static final int MOST_REFUSALS = 8;

  final CheckpointFile progress;
  private SpoolDirectory directory;

  /** In succession, by its disk. */
  private int refusals;

  /** The same opened earlier, to which spools taken over then report; null if there was none. */
  private @Nullable SpoolDirectory former;

  private @Nullable SpoolLock lock;

  ShipLease(SpoolDirectory directory, boolean forces) {
    this.directory = directory;
    this.progress = new CheckpointFile(directory, forces);
    this.lock = directory.takeClaim();
  }

  /** Whether a directory is no stray, since an appender of this process ships from it. */
  static boolean isShipped(Path directory) {
    synchronized (SHIPPED) {
      return SHIPPED.containsKey(directory);
    }
  }

  /** A queue begins or ends to use it. */
  void noteShipped(int change) {
    Path path = directory.path();
    synchronized (SHIPPED) {
      int queues = SHIPPED.getOrDefault(path, 0) + change;
      if (queues <= 0) {
        SHIPPED.remove(path);
      } else {
        SHIPPED.put(path, queues);
      }
    }
  }

  /** Whether the directory was deleted or unmounted and not recreated, or cannot be entered. */
  boolean isGone() throws IOException {
    return directory.disk().isGone(directory.path());
  }

  /** Passes on the warnings since the last call. Without a lambda, as before each first line. */
  void reportWarnings(ShippingListener listener) {
    for (String warning : directory.takeWarnings()) {
      listener.warn(warning);
    }
    for (String warning : former == null ? List.<String>of() : former.takeWarnings()) {
      listener.warn(warning);
    }
  }

  SpoolDirectory directory() {
    return directory;
  }

  /** The directory was reopened, perhaps because it had been removed: open files may be gone. */
  void moveTo(SpoolDirectory again) {
    former = directory;
    directory = again;
    lock = lock == null ? again.takeClaim() : lock;
    progress.close();
  }

  /**
   * Takes the ship lock, or checks that it is still held; false while another shipper holds it.
   * True for a directory that is gone, since no process can ship from it, and for one that cannot
   * be locked and is not needed: spools of ours elsewhere must not wait for what others left.
   */
  boolean take(boolean isNeeded, boolean isOverflow) throws IOException {
    if (lock != null && lock.isIntact()) {
      return true;
    }
    release();
    if (isGone()) {
      return true;
    }
    try {
      lock = directory.tryShipLock();
    } catch (IOException e) { // a seccomp profile, perhaps
      if (isNeeded || (isOverflow && refusals++ < MOST_REFUSALS)) {
        throw e;
      }
      return true;
    }
    refusals = 0;
    if (lock != null) {
      progress.reload(); // another process may have been further
    }
    return lock != null;
  }

  boolean isHeld() {
    return lock != null;
  }

  /** Deletes leftovers of crashes, takes over the oldest spools of the dead and the last copied. */
  List<RecordSource> takeOver(SpoolQueue.Rescue rescue, long nowMs) throws IOException {
    directory.cleanUp(nowMs);
    if (!directory.lineSpools().isEmpty()) {
      rescue.run(directory);
    }
    return directory.orphans(progress.last());
  }

  void release() {
    SpoolLock.close(lock);
    lock = null;
  }

  /** Ends the use and removes the directory if it is no longer needed. */
  void close() {
    progress.close();
    if (lock != null && lock.isIntact()) {
      try {
        directory.removeUnlessUsed(lock, CheckpointFile.files());
      } catch (IOException e) {
        // Another process has begun to use it, or it stays until the next stop.
      }
    }
    release();
  }
}
