package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory with spools of our log: its ship lock and its checkpoint. For the shipper's thread.
 */
final class Home {

  private static final String CHECKPOINT = "checkpoint";

  private final boolean durable;
  private final CheckpointFile checkpoint;
  private SpoolDirectory directory;
  private @Nullable SpoolLock lock;
  private boolean toldNoCheckpoint;

  Home(SpoolDirectory directory) {
    Disk disk = directory.disk();
    this.directory = directory;
    this.durable = !disk.isInMemory(directory.path());
    this.checkpoint = new CheckpointFile(disk, directory.path().resolve(CHECKPOINT), durable);
  }

  /** Whether spools survive a power cut here, so that what is noted about them must too. */
  boolean isDurable() {
    return durable;
  }

  /** Takes the room of the checkpoint; says so once while there is none. */
  void reserve(ShipmentAccount account) {
    try {
      if (!isGone()) {
        checkpoint.reserve();
      }
      toldNoCheckpoint = false;
    } catch (IOException e) {
      if (!toldNoCheckpoint) {
        toldNoCheckpoint = true;
        account.warn(
            "Cannot make a checkpoint in %s: %s; nothing is shipped before that works"
                .formatted(directory.path(), e));
      }
    }
  }

  /** Whether the directory was deleted or unmounted and not made again. */
  boolean isGone() throws IOException {
    return disk().stat(directory.path()) == null;
  }

  Disk disk() {
    return directory.disk();
  }

  SpoolDirectory directory() {
    return directory;
  }

  /** The directory was removed and made again: what is open belongs to the old one. */
  void moveTo(SpoolDirectory again) {
    directory = again;
    checkpoint.close();
  }

  CheckpointFile checkpoint() {
    return checkpoint;
  }

  /**
   * Takes the ship locks of all that it does not hold, or none of them: two processes that know the
   * same directories would otherwise hold one each and wait for the other.
   */
  static boolean lockAll(List<Home> homes) throws IOException {
    List<Home> taken = new ArrayList<>();
    boolean all = false;
    try {
      all = lockAll(homes, taken);
    } finally {
      if (!all) {
        taken.forEach(Home::closeLock);
      }
    }
    return all;
  }

  private static boolean lockAll(List<Home> homes, List<Home> taken) throws IOException {
    for (Home home : homes) {
      boolean held = home.lock != null;
      if (!home.lock()) {
        return false;
      }
      if (!held) {
        taken.add(home);
      }
    }
    return true;
  }

  /**
   * Takes the ship lock, or finds that it is still held; false while another shipper has it. From a
   * directory that is gone nobody can ship.
   */
  private boolean lock() throws IOException {
    SpoolLock held = lock;
    if (held != null && held.isIntact()) {
      return true;
    }
    closeLock();
    if (isGone()) {
      return true;
    }
    lock = directory.tryShipLock();
    return lock != null;
  }

  private void closeLock() {
    SpoolLock held = lock;
    lock = null;
    if (held != null) {
      held.close();
    }
  }

  /** Frees the lock, and removes the directory where nobody needs it any more. */
  void close() {
    checkpoint.close();
    SpoolLock held = lock;
    if (held != null && held.isIntact()) {
      try {
        directory.removeUnlessUsed(Set.of(CHECKPOINT, CHECKPOINT + CheckpointFile.UNFINISHED));
      } catch (IOException e) {
        // Somebody has begun to use it, or it stays until the next stop.
      }
    }
    closeLock();
  }
}
