package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.MemoryFileSystem;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A directory with spools of our log: its ship lock and its checkpoint. For the shipper's thread.
 */
final class Home {

  private final CheckpointFile checkpoint;
  private SpoolDirectory directory;
  private @Nullable SpoolLock lock;

  Home(Disk disk, SpoolDirectory directory) {
    this.directory = directory;
    this.checkpoint =
        new CheckpointFile(
            disk,
            directory.path().resolve("checkpoint"),
            !MemoryFileSystem.holds(directory.path()));
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

  /** Takes the ship lock, or finds that it is still held; false while another shipper has it. */
  boolean lock() throws IOException {
    SpoolLock held = lock;
    if (held != null && held.isIntact()) {
      return true;
    }
    if (held != null) {
      held.close();
    }
    lock = directory.tryShipLock();
    return lock != null;
  }

  void close() {
    checkpoint.close();
    SpoolLock held = lock;
    lock = null;
    if (held != null) {
      held.close();
    }
  }
}
