package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Identifies what this process writes to and is no file, a stream for instance: by the program that
 * writes to it. Of the processes of one program that run at once, each has a slot of its own, the
 * first free one, since each has another stream; the next start finds what the last one left. For
 * the shipper's thread.
 */
public final class Slots {

  private static final int MAX_SLOTS = 1000;

  /** Another process may be removing a directory as it stops. */
  private static final int MAX_FAULTS = 3;

  private final Disk disk;
  private final Path base;
  private final String title;
  private final String target;
  private final boolean hasAttributes;

  /** Whether slots with lines of dead processes are left alone. */
  private final boolean keepsLeft;

  /** The slots that were left alone. */
  public final List<Path> left = new ArrayList<>();

  /** Whether another process ships from the slot, and so holds its ship lock. */
  private final boolean isApart;

  private @Nullable SpoolDirectory claimed;

  /** Held instead of the ship lock then. */
  private volatile @Nullable SpoolLock lock;

  /**
   * Accesses nothing.
   *
   * @param title the target, for messages
   * @param target what distinguishes it from targets of other programs
   * @param keepsLeft whether to take no slot in which a dead process has left something
   * @param isApart whether another process ships from it
   */
  public Slots(
      Disk disk,
      Path base,
      String title,
      String target,
      boolean hasAttributes,
      boolean keepsLeft,
      boolean isApart) {
    this.isApart = isApart;
    this.disk = disk;
    this.base = base;
    this.title = title;
    this.target = target;
    this.hasAttributes = hasAttributes;
    this.keepsLeft = keepsLeft;
  }

  /** Takes the first free slot; one that no next start will find if there is none to be had. */
  LogIdentity claim() {
    int faults = 0;
    for (int slot = 0; slot < MAX_SLOTS && faults < MAX_FAULTS; slot++) {
      LogIdentity identity = identity(String.valueOf(slot));
      try {
        SpoolDirectory directory = SpoolDirectory.open(disk, base, identity);
        List<String> unused = directory.takeWarnings(); // reported when a spool is created there
        if (isApart) {
          SpoolLock taken = SpoolLock.tryTake(disk, directory.path().resolve(SpoolNames.SLOT_LOCK));
          if (taken != null) {
            lock = taken;
            claimed = directory;
            return identity;
          }
          continue;
        }
        directory.claim = directory.tryShipLock();
        if (directory.claim != null && keepsLeft && !directory.isEmpty()) {
          left.add(directory.path());
          directory.claim.close();
          directory.claim = null;
        } else if (directory.claim != null) {
          claimed = directory;
          return identity;
        }
      } catch (IOException e) {
        faults++; // the spool's opening reports it
      }
    }
    return identity(InstanceId.random().toString());
  }

  /** Frees what another process could claim. Any thread, once nothing more is spooled. */
  public void close() {
    SpoolLock.close(lock);
  }

  private LogIdentity identity(String slot) {
    return LogIdentity.ofTarget(title, target, hasAttributes, slot);
  }

  /** The slot's directory, whose ship lock is taken; null if there is none. */
  public @Nullable SpoolDirectory claimed() {
    return claimed;
  }
}
