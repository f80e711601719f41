package dev.forebay.tiered.ship;

import java.io.IOException;
import java.util.List;

/**
 * Whether we are the one shipper of a destination: the holder of the ship locks of all directories
 * known to have spools for it. For the shipper's thread.
 */
final class ShipRight {

  /** How often the locks are checked: those that others hold, and our own. */
  private static final long LOOK_EVERY_NS = 500_000_000;

  private final Destination destination;
  private final List<ShipLease> leases;
  private final ShippingListener listener;
  private final Interval look = new Interval();
  private boolean held;
  private boolean warnedWaiting;

  /**
   * @param leases those that are needed; the caller may add more
   */
  ShipRight(Destination destination, List<ShipLease> leases, ShippingListener listener) {
    this.destination = destination;
    this.leases = leases;
    this.listener = listener;
  }

  /**
   * Tries periodically to become the shipper, and checks that it still is: a lock's file can be
   * deleted.
   */
  boolean isHeld(long nowNs) throws IOException {
    if (leases.isEmpty() || !look.isDue(nowNs)) {
      return held;
    }
    held = false;
    try {
      held = takeAll();
    } finally {
      if (!held) {
        leases.forEach(ShipLease::release);
      }
    }
    look.done(nowNs, LOOK_EVERY_NS); // not before: a failure is retried at once
    if (held) {
      warnedWaiting = false;
    } else if (!warnedWaiting) {
      warnedWaiting = true;
      listener.waits(
          "Another appender ships to %s; spooling only until it stops"
              .formatted(destination.name()));
    }
    return held;
  }

  /**
   * All or none: otherwise two appenders that want the same locks could each hold one and wait for
   * the other.
   */
  private boolean takeAll() throws IOException {
    for (ShipLease lease : leases) {
      if (!lease.take()) {
        return false;
      }
    }
    return true;
  }

  /** Whether we were the shipper at the last look. */
  boolean wasHeld() {
    return held;
  }

  /**
   * Makes the next turn take the locks: one more is needed, or another appender may have stopped.
   */
  void lookNow() {
    held = false;
    look.now();
  }

  void close() {
    for (ShipLease lease : leases) {
      lease.close();
    }
  }
}
