package dev.forebay.tiered.ship;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One destination for two shippers of this process: the host, which holds the ship lock, and its
 * guest. They take turns, each on its own thread, with the host as monitor, which then also guards
 * the guest's queue and account. Only the host opens, rolls and closes the destination.
 */
final class Sharing {

  /** Which spool may be next at the destination. */
  private enum Next {
    /** Only the host knows which: as after a start. */
    HOSTS,
    /** The last one: it must be recovered, or is never suspended. */
    LAST,
    ANY
  }

  /** While both have records, a change between them, which costs a commit, is due after so long. */
  private static final long SHARE_NS = 500_000_000;

  /** The only guest, since a checkpoint has two positions. */
  final Shipper guest;

  /** The shipper whose spool was taken last. Written with the monitor. */
  volatile Shipper user;

  private long takenNs;

  /** Whether the other one waits for a turn, and may not get the monitor. */
  private volatile boolean isWanted;

  Sharing(Shipper host, Shipper guest) {
    this.user = host;
    this.guest = guest;
  }

  /** Whether another shipper is a host, and of this guest if of any. */
  static boolean admits(Shipper host, Shipper guest) {
    boolean canShare = host.destination.canShare() && guest.destination.canShare();
    if (!host.mayHost() || !canShare || (guest.fsync.forces() && !host.fsync.forces())) {
      return false;
    }
    Sharing known = host.sharing;
    if (known == null) {
      host.sharing = new Sharing(host, guest);
    }
    return known == null || known.guest == guest;
  }

  /**
   * Whether a guest has locked directories that its host has not, which takes them in then: it may
   * come to need them, and would wait for the guest that waits for it.
   */
  static boolean offer(List<ShipLease> ofGuest, SpoolQueue host) {
    boolean isAny = false;
    for (ShipLease lease : ofGuest) {
      if (lease.isHeld() && lease.directory().disk().outlivesProcess()) {
        host.addOverflow(lease.directory());
        isAny = true;
      }
    }
    return isAny;
  }

  /** The guest ends: commits what was copied, and has the host look for what is left. */
  static void leave(Shipper guest, Shipper host) {
    synchronized (host) {
      Sharing both = host.sharing;
      Records last = both != null && both.user == guest ? host.current : null;
      try {
        if (last != null && !host.isLost) {
          host.destination.suspend(last);
        }
      } catch (IOException | RuntimeException e) {
        host.isLost = true;
        guest.listener.failed(e);
      } finally {
        if (both != null && both.guest == guest) {
          host.endSharing();
        }
        host.queue.lookNow();
      }
    }
  }

  /** Asks for a turn, before the monitor is entered. */
  void want(Shipper turn) {
    if (turn != user) {
      isWanted = true;
    }
  }

  void take(Shipper turn, long nowNs) {
    user = turn;
    takenNs = nowNs;
  }

  /**
   * What is to be shipped in a turn.
   *
   * @param last what was shipped last
   * @param isLost as in {@link Destination#take}: then only that may follow
   */
  @Nullable Records next(Shipper turn, @Nullable Records last, boolean isLost, long nowNs)
      throws IOException {
    boolean isUser = turn == user;
    boolean continues = last != null && (isLost || !last.isLive());
    Next may = continues ? Next.LAST : isLost ? Next.HOSTS : Next.ANY;
    boolean isBarred = may == Next.HOSTS ? turn == guest : isLost && !isUser;
    if (isBarred && !isUser && user.failure instanceof IOException e) {
      throw e; // it is ours too
    }
    if (isBarred && may == Next.HOSTS) {
      return null;
    }
    boolean isAsked = isWanted;
    isWanted = false; // it is its turn
    if (may == Next.LAST) {
      return isUser ? last : null;
    }
    boolean isOver = nowNs - takenNs >= SHARE_NS;
    if (isUser) {
      return isAsked && isOver && last != null ? null : turn.queue.next(nowNs);
    }
    Records next = turn.queue.next(nowNs);
    if (next == null || next.isExhausted()) {
      return next;
    }
    if (next.isDrained() && may == Next.ANY) {
      turn.commitRequested = false;
      return null;
    }
    boolean isDue = isOver || turn.commitRequested || last == null || !last.hasUncommitted();
    return isDue && next.hasRoom() ? next : null;
  }
}
