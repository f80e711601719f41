package dev.forebay.tiered.ship;

import dev.forebay.tiered.checkpoint.CheckpointFile;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The right to ship the spools of one directory, and the destination's progress with them. For the
 * shipper's thread.
 */
final class ShipLease {

  /** Of queues of this process that ship from a directory, or wait to; locked by itself. */
  private static final Map<Path, List<ShipLease>> SHIPPED = new HashMap<>();

  /** What overflowed to a disk comes first, so one that fails for a moment is tried again. */
  private static final int MOST_REFUSALS = 8;

  /** The checkpoint of this lease, or of the shipper that it has joined. */
  CheckpointFile progress;

  private final CheckpointFile ownProgress;
  private SpoolDirectory directory;

  /** The shipper whose queue uses this lease; null if other shippers need not know. */
  private @Nullable Shipper user;

  /** How often in succession the disk has refused. */
  private int refusals;

  /** The directory as opened earlier, to which spools taken over then report; null if none was. */
  private @Nullable SpoolDirectory former;

  private @Nullable SpoolLock lock;

  /** Held while we wait for the other, and are the first to. */
  private @Nullable SpoolLock turn;

  ShipLease(SpoolDirectory directory, boolean forces) {
    this.directory = directory;
    this.ownProgress = new CheckpointFile(directory, forces);
    this.progress = ownProgress;
    this.lock = directory.takeClaim();
  }

  /** Whether a directory is no stray, since an appender of this process ships from it. */
  static boolean isShipped(Path directory) {
    synchronized (SHIPPED) {
      return SHIPPED.containsKey(directory);
    }
  }

  /** A queue begins to use this lease. */
  void begin(@Nullable Shipper by) {
    user = by;
    synchronized (SHIPPED) {
      List<ShipLease> others = SHIPPED.get(directory.path());
      List<ShipLease> all = others == null ? new ArrayList<>(1) : others;
      all.add(this);
      SHIPPED.put(directory.path(), all);
    }
  }

  private void end() {
    synchronized (SHIPPED) {
      List<ShipLease> all = SHIPPED.get(directory.path());
      if (all != null && all.remove(this) && all.isEmpty()) {
        SHIPPED.remove(directory.path());
      }
    }
  }

  /** The shipper of this process that looks after the lock, and ships for this one too; or null. */
  @Nullable Shipper join(Shipper guest) {
    synchronized (SHIPPED) {
      for (ShipLease other : SHIPPED.getOrDefault(directory.path(), List.of())) {
        Shipper host = other.user;
        if (host != null && host != guest && Sharing.admits(host, guest)) {
          progress = other.ownProgress;
          return host;
        }
      }
    }
    return null;
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
    ownProgress.close();
  }

  /**
   * Takes the ship lock, or checks that it is still held; false while another shipper holds it.
   * True for a directory that is gone, since no process can ship from it, and for one that cannot
   * be locked and is not needed: our spools elsewhere must not wait for such leftovers.
   */
  boolean take(boolean isNeeded, boolean isOverflow) throws IOException {
    SpoolLock held = lock;
    if (held != null && held.isIntact()) {
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
    if (isHeld()) {
      progress = ownProgress;
      progress.reload(); // another shipper may have been further
    }
    return isHeld();
  }

  boolean isHeld() {
    return lock != null;
  }

  /** Whether it is that of some of these records. */
  boolean isOfAny(Collection<Records> all) {
    for (Records one : all) {
      if (one.lease() == this) {
        return true;
      }
    }
    return false;
  }

  /** The one that the destination may end with the records of; null if that is none. */
  static @Nullable Records last(Collection<Records> all) {
    for (Records one : all) {
      if (one.rank() == 0) {
        return one;
      }
    }
    return null;
  }

  /** Deletes leftovers of crashes, takes over the oldest spools of the dead and the last copied. */
  List<RecordSource> takeOver(SpoolQueue queue) throws IOException {
    directory.cleanUp(queue.nowMs());
    return directory.orphans(progress.last(), queue.rescue);
  }

  /** Whether another process waits to ship, so that one which only fills in for it gives way. */
  boolean isWanted() {
    Path next = directory.path().resolve(SpoolNames.NEXT_LOCK);
    try {
      if (directory.disk().stat(next) == null) {
        return false;
      }
      SpoolLock free = SpoolLock.tryTake(directory.disk(), next);
      SpoolLock.close(free);
      return free == null;
    } catch (IOException e) {
      directory.warnings.add("cannot see whether another process waits to ship: " + e.getMessage());
      return false;
    }
  }

  /** Shows whether we wait to ship, or another process that was first does. */
  void await(boolean waits) {
    SpoolLock held = turn;
    if (waits && held != null && held.isIntact()) {
      return;
    }
    SpoolLock.close(held);
    turn = null;
    try {
      if (waits && !isGone()) {
        turn = SpoolLock.tryTake(directory.disk(), directory.path().resolve(SpoolNames.NEXT_LOCK));
      }
    } catch (IOException e) {
      directory.warnings.add("cannot show that this process waits to ship: " + e.getMessage());
    }
  }

  void release() {
    SpoolLock.close(lock);
    lock = null;
  }

  /** Ends the use and removes the directory if it is no longer needed. */
  void close() {
    end();
    ownProgress.close();
    SpoolLock held = lock;
    if (held != null && held.isIntact()) {
      try {
        directory.removeUnlessUsed(held, CheckpointFile.files());
      } catch (IOException e) {
        // Another process has begun to use it, or it stays until the next stop.
      }
    }
    SpoolLock.close(turn);
    release();
  }
}
