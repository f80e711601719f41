package dev.forebay.tiered.ship;

import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Once;
import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.identity.ShipperNote;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Iterator;

/**
 * The place of the shipper in a process whose log another one ships: reads in the checkpoint what
 * that has committed, counts it and frees it in the spool. It opens nothing but the spool's
 * directory.
 *
 * <p>If nothing is committed for too long and nobody holds the ship lock, this process ships
 * itself, as long as nobody waits for the lock. What it holds then is like that of any shipper.
 */
public final class Follower implements Agent {

  /** How often to look who ships. */
  private static final long LOOK_NS = 500_000_000;

  /** When to begin to look whether somebody holds the lock: longer than most commits take. */
  private static final long SLOW_NS = 2_000_000_000;

  /** When to say that nobody ships, if this process is not to. */
  private static final long LONG_NS = 10_000_000_000L;

  private static final String NOBODY = "nobody";

  private final Shipper shipper;
  private final SpoolQueue queue;
  private final ShippingListener listener;
  private final NanoClock clock;
  private final long patienceNs;
  private final Interval look = new Interval();

  /** When the last record was committed, or none waited. */
  private long movedNs;

  /** When another process was last seen to hold the lock. */
  private long heldNs;

  private boolean isFailing;
  private final Once once;

  /**
   * @param shipper what ships here meanwhile; touches no log before
   * @param patienceNs how long records wait for another shipper; {@code Long.MAX_VALUE}: for ever
   */
  public Follower(Shipper shipper, NanoClock clock, long patienceNs) {
    this.shipper = shipper;
    this.queue = shipper.queue;
    queue.isFollowed = true;
    shipper.isElsewhere = true;
    this.listener = shipper.listener;
    this.clock = clock;
    this.patienceNs = patienceNs;
    this.once = new Once(listener);
    this.movedNs = clock.nanoTime();
    this.heldNs = movedNs;
  }

  @Override
  public int doWork() {
    shipper.takeIn();
    long nowNs = clock.nanoTime();
    if (!shipper.isElsewhere) {
      int work = shipper.doWork();
      if (look.isDue(nowNs)) {
        look.done(nowNs, LOOK_NS);
        handBackIfWanted();
      }
      return work;
    }
    boolean hasMoved = follow();
    if (hasMoved || !isAwaiting()) {
      movedNs = nowNs;
      once.over(NOBODY);
      showFault("");
    } else if (look.isDue(nowNs)) {
      look.done(nowNs, LOOK_NS);
      showFault(fault());
      long limitNs = patienceNs == Long.MAX_VALUE ? LONG_NS : patienceNs;
      if (nowNs - movedNs >= Math.min(limitNs, SLOW_NS)) {
        shipIfNobodyDoes(nowNs, limitNs);
      }
    }
    return hasMoved ? 1 : 0;
  }

  /** Counts what is newly committed; whether there was something. */
  private boolean follow() {
    boolean hasMoved = false;
    boolean isRequested = shipper.commitRequested;
    shipper.commitRequested = false;
    try {
      for (ShipLease lease : queue.leases) {
        if (!lease.isOfAny(queue.own)) {
          continue;
        }
        CheckpointView reached =
            CheckpointView.of(lease.directory().disk(), lease.directory().path());
        for (Iterator<Records> all = queue.own.iterator(); all.hasNext(); ) {
          Records one = all.next();
          hasMoved |= one.lease() == lease && one.follow(reached.position(one.instance()));
          if (one.isExhausted()) {
            one.discard();
            all.remove();
          } else if (one.isRemoved()) { // by others: nobody can ship it any more
            listener.warn("The spool %s was removed".formatted(one.path()));
            one.abandon(false);
            all.remove();
          } else if (isRequested || one.complete) { // the second in case its end is not shown yet
            one.requestCommit();
          }
        }
      }
      if (!queue.own.isEmpty()) {
        listener.opened(); // a start waits for no more
      }
    } catch (IOException e) {
      once.warn(
          "checkpoint", "Cannot read how far %s is: %s".formatted(queue.destination.name(), e));
    }
    return hasMoved;
  }

  private boolean isAwaiting() {
    for (Records one : queue.own) {
      if (!one.isCommitted()) {
        return true;
      }
    }
    return false;
  }

  /** What the other shipper says fails. */
  private String fault() {
    String fault = "";
    for (ShipLease lease : queue.leases) {
      ShipperNote note = ShipperNote.read(lease.directory().disk(), lease.directory().path());
      fault = note == null || note.fault().isEmpty() ? fault : note.fault();
    }
    return fault;
  }

  private void showFault(String fault) {
    if (!fault.isEmpty()) {
      isFailing = true;
      String log = queue.destination.name();
      listener.failed(new FileSystemException(log, null, "its shipper says: " + fault));
    } else if (isFailing) {
      isFailing = false;
      listener.worked();
    }
  }

  private void shipIfNobodyDoes(long nowNs, long limitNs) {
    try {
      if (!queue.locks.isShipper(nowNs)) {
        heldNs = nowNs;
        return;
      }
      if (nowNs - movedNs < limitNs || nowNs - heldNs < limitNs) {
        queue.locks.handBack(); // the next shipper may be starting
      } else if (patienceNs == Long.MAX_VALUE) {
        queue.locks.handBack();
        once.warn(
            NOBODY,
            "Nobody ships to %s: events wait in the spool, the newest are dropped once it is full; start forebay ship"
                .formatted(queue.destination.name()));
      } else if (!queue.hasRoom()) {
        queue.locks.handBack(); // to another process whose spool the checkpoint names
      } else {
        boolean unused = follow(); // the last that another one can have committed
        shipper.isElsewhere = false;
        for (ShipLease lease : queue.leases) {
          if (lease.isHeld()) { // what a dead shipper has said
            ShipperNote.remove(lease.directory().disk(), lease.directory().path());
          }
        }
        listener.warn(
            "Nobody has shipped to %s for %d s: this process does until a forebay ship comes"
                .formatted(queue.destination.name(), limitNs / 1_000_000_000));
      }
    } catch (IOException e) {
      listener.failed(e);
    }
  }

  private void handBackIfWanted() {
    boolean isWanted = queue.locks.role == Role.WAITING; // our lock was deleted
    for (ShipLease lease : queue.leases) {
      isWanted |= lease.isWanted();
    }
    if (isWanted) {
      handBack();
      shipper.isElsewhere = true;
      movedNs = clock.nanoTime();
      listener.info("another process ships to %s again".formatted(queue.destination.name()));
    }
  }

  /** Commits and closes what is open, and frees all but our spools. */
  private void handBack() {
    shipper.leave();
    synchronized (shipper) {
      try {
        if (shipper.current != null && !shipper.isLost) {
          queue.destination.suspend(shipper.current);
        }
      } catch (IOException | RuntimeException e) {
        listener.failed(e);
      } finally {
        shipper.isLost = true;
        shipper.current = null;
        shipper.endSharing();
        queue.destination.close();
        queue.orphans.forEach(Records::leave);
        queue.orphans.clear();
        queue.scan.now();
        queue.locks.handBack();
      }
    }
  }

  @Override
  public long sleepNs(long nowNs) {
    if (!shipper.isElsewhere) {
      return Math.min(LOOK_NS, shipper.sleepNs(nowNs));
    }
    boolean isIdle = queue.incoming.isEmpty() && !shipper.commitRequested && !isAwaiting();
    return isIdle ? Long.MAX_VALUE : 0;
  }

  @Override
  public boolean finish() {
    if (!shipper.isElsewhere) {
      return shipper.finish();
    }
    shipper.takeIn();
    boolean unused = follow();
    return true;
  }

  @Override
  public void onClose() {
    if (shipper.isElsewhere) {
      shipper.takeIn();
      boolean unused = follow();
    }
    shipper.onClose();
  }
}
