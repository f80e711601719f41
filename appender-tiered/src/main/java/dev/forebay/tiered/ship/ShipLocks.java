package dev.forebay.tiered.ship;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a queue's shipper holds the locks that it needs. For its thread. */
final class ShipLocks {

  /** How often the locks are checked, foreign ones and our own. */
  private static final long LOOK_NS = 500_000_000;

  private final SpoolQueue queue;
  private final Interval look = new Interval();
  private final Interval patience = new Interval();

  /** The other shipper of this process that holds locks that we want, and ships for us. */
  @Nullable Shipper host;

  /** Read by the flusher's thread and by other shippers. */
  volatile Role role = Role.WAITING;

  ShipLocks(SpoolQueue queue) {
    this.queue = queue;
  }

  /** Makes the next turn look. */
  void lookNow() {
    look.now();
  }

  /**
   * Tries periodically to become the one shipper of the destination, or to have that of this
   * process ship for us, and checks that this is still so: a lock's file can be deleted.
   */
  boolean isShipper(long nowNs) throws IOException {
    if (queue.leases.isEmpty() || !look.isDue(nowNs)) {
      return hasLooked();
    }
    host = null;
    boolean isShipper = false;
    try {
      isShipper = takeLocks();
    } finally {
      role = !isShipper ? Role.WAITING : host == null ? Role.HOST : Role.GUEST;
      for (ShipLease lease : queue.live == null ? List.<ShipLease>of() : queue.leases) {
        lease.await(!isShipper);
        lease.reportWarnings(queue.listener);
      }
      queue.settled = isShipper ? queue.settled : null;
      if (!isShipper) { // else two that want the same locks could each hold one and wait
        queue.leases.forEach(ShipLease::release);
      }
    }
    look.done(nowNs, LOOK_NS); // not before: a failure is retried at once
    if (isShipper) {
      patience.now();
    } else if (queue.isFollowed || queue.live != null) {
      return false; // as it should be
    } else if (patience.isRequested()) {
      patience.done(nowNs, LOOK_NS); // it may be one that is just ending
    } else if (patience.isDue(nowNs)) {
      patience.done(nowNs, Long.MAX_VALUE / 2);
      String text = "Another appender ships to %s; spooling only until it stops";
      queue.listener.waits(text.formatted(queue.destination.name()));
    }
    return isShipper;
  }

  /** Whether the last look for locks succeeded, and no other was requested since. */
  boolean hasLooked() {
    return role != Role.WAITING && !look.isRequested();
  }

  private boolean takeLocks() throws IOException {
    Shipper own = queue.shipper;
    for (ShipLease lease : queue.leases) {
      boolean isNeeded =
          queue.own.isEmpty() || lease.isOfAny(queue.own) || lease.isOfAny(queue.orphans);
      Shipper other = own == null || lease.isHeld() ? null : lease.join(own);
      boolean isOne = host == null || other == null || host == other;
      boolean isOverflow = lease.directory().path().equals(queue.overflow);
      if (!isOne || (other == null && !lease.take(isNeeded, isOverflow))) {
        return false;
      }
      host = other == null ? host : other;
    }
    if (host != null) {
      queue.listener.opened();
      patience.now(); // no reason to warn
    }
    return host == null || !Sharing.offer(queue.leases, host.queue);
  }

  /** Frees them for another process. */
  void handBack() {
    queue.leases.forEach(ShipLease::release);
    host = null;
    role = Role.WAITING;
    queue.settled = null;
    look.now();
  }
}
