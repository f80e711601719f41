package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.jvm.JvmRescue;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolFiles;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The right to ship the spools of one directory, and the checkpoint that records the progress. For
 * the shipper's thread.
 */
final class ShipLease {

  static final String CHECKPOINT = "checkpoint";

  private final boolean durable;
  private final CheckpointFile checkpoint;
  private SpoolDirectory directory;
  private @Nullable SpoolLock lock;

  ShipLease(SpoolDirectory directory) {
    Disk disk = directory.disk();
    this.directory = directory;
    this.durable = !disk.isInMemory(directory.path());
    this.checkpoint = new CheckpointFile(disk, directory.path().resolve(CHECKPOINT), durable);
  }

  /** Whether spools survive a power cut here; then their checkpoint must survive it too. */
  boolean isDurable() {
    return durable;
  }

  /** Whether the directory was deleted or unmounted and not recreated. */
  boolean isGone() throws IOException {
    return disk().stat(directory.path()) == null;
  }

  Disk disk() {
    return directory.disk();
  }

  SpoolDirectory directory() {
    return directory;
  }

  /** The directory was reopened, perhaps because it had been removed: open files may be gone. */
  void moveTo(SpoolDirectory again) {
    directory = again;
    checkpoint.close();
  }

  CheckpointFile checkpoint() {
    return checkpoint;
  }

  /**
   * Takes the ship lock, or checks that it is still held; false while another shipper holds it.
   * True for a directory that is gone, since no process can ship from it.
   */
  boolean take() throws IOException {
    SpoolLock held = lock;
    if (held != null && held.isIntact()) {
      return true;
    }
    release();
    if (isGone()) {
      return true;
    }
    lock = directory.tryShipLock();
    checkpoint.forget(); // another process may have saved one
    if (lock != null) {
      checkpoint.load(); // the next save must count as newer than what is there
    }
    return lock != null;
  }

  /**
   * Deletes leftovers of crashes and takes over the oldest spools of dead processes, and the one
   * that the checkpoint names. What JVMs have left becomes a spool before.
   */
  List<SpoolTransfer> takeOver(long nowMs) throws IOException {
    directory.cleanUp(nowMs);
    Checkpoint last = checkpoint.load();
    InstanceId first = last == null ? null : last.next().instance(); // it may end the log
    List<RecordSource> orphans = new ArrayList<>(directory.orphans(first));
    boolean isDone = false;
    try {
      JvmRescue rescue = new JvmRescue(directory, this::endOf);
      if (rescue.run(spool -> holds(orphans, spool))) {
        orphans.addAll(directory.orphans(first));
        orphans.sort(Comparator.comparing(RecordSource::path)); // by age
      }
      isDone = true;
    } finally {
      if (!isDone) {
        orphans.forEach(RecordSource::close);
      }
    }
    return orphans.stream().map(source -> SpoolTransfer.orphan(this, source)).toList();
  }

  private static boolean holds(List<RecordSource> orphans, InstanceId spool) {
    return orphans.stream().anyMatch(orphan -> orphan.instanceId().equals(spool));
  }

  /** Sequence after the last record that is, or was, in a spool. */
  private long endOf(InstanceId spool) throws IOException {
    Checkpoint last = checkpoint.load();
    long committed = last == null ? 0 : last.firstUncommitted(spool);
    for (Path path : SpoolFiles.spools(disk(), directory.path())) {
      if (SpoolFiles.instance(path).equals(spool)) {
        try (SpoolView view = new SpoolView(disk(), path, () -> committed)) {
          return Math.max(committed, view.endSequence());
        }
      }
    }
    return committed;
  }

  /** Releases the ship lock. */
  void release() {
    SpoolLock held = lock;
    lock = null;
    if (held != null) {
      held.close();
    }
  }

  /** Ends the use and removes the directory if it is no longer needed. */
  void close() {
    checkpoint.close();
    SpoolLock held = lock;
    if (held != null && held.isIntact()) {
      try {
        directory.removeUnlessUsed(Set.of(CHECKPOINT, CHECKPOINT + CheckpointFile.UNFINISHED));
      } catch (IOException e) {
        // Another process has begun to use it, or it stays until the next stop.
      }
    }
    release();
  }
}
