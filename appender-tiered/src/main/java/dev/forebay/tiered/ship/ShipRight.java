package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether we are the one shipper of a log: who holds the ship locks of all directories that are
 * known to have spools of it. For the shipper's thread.
 */
final class ShipRight {

  /** How often the locks are looked at: those that others hold, and our own. */
  private static final long LOOK_EVERY_NS = 500_000_000;

  private final Path log;
  private final List<ShipLease> leases;
  private final LogLock logLock;
  private final ShippingListener listener;
  private final Interval look = new Interval();
  private boolean held;
  private boolean toldWaiting;

  /**
   * @param leases those that are needed; grows
   */
  ShipRight(Disk disk, Path log, List<ShipLease> leases, ShippingListener listener) {
    this.log = log;
    this.leases = leases;
    this.logLock = new LogLock(disk, log, listener);
    this.listener = listener;
  }

  /**
   * Tries to become the shipper from time to time, and looks whether it still is: the file of a
   * lock can be deleted.
   */
  boolean isHeld(long nowNs) throws IOException {
    if (leases.isEmpty() || !look.isDue(nowNs)) {
      return held;
    }
    held = false;
    held = takeAll() && (isShared() || logLock.take());
    look.done(nowNs, LOOK_EVERY_NS); // not before: a failure is met again until it ends
    if (held) {
      toldWaiting = false;
    } else if (!toldWaiting) {
      toldWaiting = true;
      listener.warn(
          "Another appender ships to %s; spooling only, until it has gone".formatted(log));
    }
    return held;
  }

  /**
   * All or none: of two that want the same, each would otherwise hold one and wait for the other.
   */
  private boolean takeAll() throws IOException {
    boolean all = false;
    try {
      for (ShipLease lease : leases) {
        if (!lease.take()) {
          return false;
        }
      }
      all = true;
    } finally {
      if (!all) {
        leases.forEach(ShipLease::release);
      }
    }
    return all;
  }

  private boolean isShared() {
    return leases.stream().anyMatch(lease -> lease.disk().outlivesProcess());
  }

  /** Another directory is known: its lock is needed too. */
  void lookAgain() {
    held = false;
    look.now();
  }

  /** Has the next turn look for what another left that may have gone just now. */
  void hurry() {
    if (!held) {
      look.now();
    }
  }

  void close() {
    leases.forEach(ShipLease::close);
    logLock.close();
  }
}
