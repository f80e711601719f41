package dev.forebay.tiered.ship;

import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.SegmentFeed;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The spools to be shipped, in order: first the one the destination may end with the records of;
 * then other spools of dead processes, oldest first; then our own in the order of their creation.
 *
 * <p>The flusher's thread adds and retires; everything else is for the shipper's thread.
 */
public final class SpoolQueue {

  /**
   * A spool to be shipped; if {@code retired}, one to which nothing more is added, and of whose
   * records so many never got into its files. No record: to compare these loads a dozen classes.
   */
  private static final class Arrival {
    final SpoolDirectory directory;
    final @Nullable OwnSpool spool;
    final boolean retired;
    final long unwritten;

    Arrival(SpoolDirectory directory, @Nullable OwnSpool spool, boolean retired, long unwritten) {
      this.directory = directory;
      this.spool = spool;
      this.retired = retired;
      this.unwritten = unwritten;
    }
  }

  /** How often the locks are checked, foreign ones and our own. */
  private static final long LOCK_LOOK_NS = 500_000_000;

  /** How often to look for spools of processes that have died. */
  private static final long ORPHAN_SCAN_NS = 10_000_000_000L;

  private static final long SCAN_RETRY_NS = 100_000_000;

  /** A spool that cannot be taken over must not block the other spools forever. */
  private static final int MAX_FAILED_SCANS = 8;

  final Destination destination;

  /** Of spools in another form than frames, as {@link SpoolDirectory#orphans} has it. */
  final BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed> rescue;

  final ShippingListener listener;
  private final LongSupplier wallClockMs;
  private final Queue<Arrival> incoming = new ConcurrentLinkedQueue<>();

  private final List<ShipLease> leases = new ArrayList<>();
  private final List<Records> orphans = new ArrayList<>();
  private final Deque<Records> own = new ArrayDeque<>();

  /** Where full spools overflow to, once there is something; otherwise null. */
  private volatile @Nullable Path overflow;

  /** Records in our own retired spools. */
  private long ownRecords;

  private final Interval lockLook = new Interval();

  /** The queue's shipper; null if no other shipper of this process has to know it. */
  @Nullable Shipper shipper;

  /** The other shipper of this process that holds locks that we want, and ships for us. */
  @Nullable Shipper host;

  /** Read by the flusher's thread and by other shippers. */
  volatile Role role = Role.WAITING;

  private final Interval patience = new Interval();

  private final Interval scan = new Interval();
  private int failedScans; // in succession

  /** For one shipper, which uses all of these too; the clock also for the age of segments. */
  public SpoolQueue(
      Destination destination,
      BiFunction<SpoolDirectory, SpoolLease, @Nullable SegmentFeed> rescue,
      ShippingListener listener,
      LongSupplier wallClockMs) {
    this.destination = destination;
    this.rescue = rescue;
    this.listener = listener;
    this.wallClockMs = wallClockMs;
  }

  long nowMs() {
    return wallClockMs.getAsLong();
  }

  /** Adds spools of dead processes in a directory without a spool of ours. Any thread. */
  public void addDirectory(SpoolDirectory directory) {
    incoming.add(new Arrival(directory, null, false, 0));
  }

  /** The same where full spools overflow to: what is there may have to come first. Any thread. */
  public void addOverflow(SpoolDirectory directory) {
    overflow = directory.path();
    addDirectory(directory);
  }

  /** Adds a spool of our own. Called by the flusher's thread before it writes to the spool. */
  public void add(SpoolDirectory directory, OwnSpool spool) {
    incoming.add(new Arrival(directory, spool, false, 0));
  }

  /**
   * Nothing more is added to this spool, and what did not get into its files is lost. Called by the
   * flusher's thread, once for each spool.
   */
  public void retire(SpoolDirectory directory, OwnSpool spool) {
    retire(directory, spool, spool.nextSequence() - spool.publishedSequence());
  }

  /** As {@link #retire}, but what did not get into its files goes to the next, which counts it. */
  public void retireToNext(SpoolDirectory directory, OwnSpool spool) {
    retire(directory, spool, 0);
  }

  private void retire(SpoolDirectory directory, OwnSpool spool, long unwritten) {
    Arrival last = new Arrival(directory, spool, true, unwritten);
    incoming.add(last);
    if (isClosed() && incoming.remove(last)) { // after a stop that did not wait for the flusher
      boolean isUnknown = incoming.removeIf(one -> one.spool == spool);
      boolean isLost = isUnknown && !directory.disk().outlivesProcess();
      listener.lost(isLost ? spool.nextSequence() : unwritten);
      try {
        if (spool.nextSequence() == 0) {
          spool.discard();
        }
      } catch (IOException e) {
        listener.warn("Cannot delete the spool %s: %s".formatted(spool.path(), e));
      } finally {
        spool.close(); // leaves its records to the next start
      }
    }
  }

  /** Whether the shipper takes in nothing more. For any thread. */
  public boolean isClosed() {
    return role == Role.CLOSED;
  }

  /** Takes in what the flusher's thread added; after an Error, the next call repeats the rest. */
  void takeIn() {
    for (Arrival arrival = incoming.peek(); arrival != null; arrival = incoming.peek()) {
      ShipLease lease = leaseOf(arrival.directory);
      OwnSpool spool = arrival.spool;
      Records known = spool == null ? null : Records.find(own, spool.instanceId());
      if (known != null && arrival.retired) {
        known.complete = true;
      } else if (known == null && spool != null && !arrival.retired) {
        own.add(new Records(lease, spool.source(), spool, ownRecords, listener));
      }
      if (incoming.remove(arrival) && spool != null && arrival.retired) {
        ownRecords += spool.publishedSequence() + arrival.unwritten;
        listener.lost(arrival.unwritten);
      }
    }
  }

  private ShipLease leaseOf(SpoolDirectory directory) {
    for (ShipLease lease : leases) {
      if (lease.directory().path().equals(directory.path())) {
        if (lease.directory() != directory) {
          lease.moveTo(directory);
          lookNow();
        }
        return lease;
      }
    }
    ShipLease fresh = new ShipLease(directory, destination.survivesPowerCuts());
    leases.add(fresh);
    fresh.begin(shipper);
    lookNow();
    return fresh;
  }

  ShipLease overflowLeaseOf(SpoolDirectory directory) {
    overflow = directory.path();
    return leaseOf(directory);
  }

  /** Makes the next turn look for locks, and for spools of a process that may just have ended. */
  void lookNow() {
    lockLook.now();
    scan.now();
  }

  /**
   * Tries periodically to become the one shipper of the destination, or to have that of this
   * process ship for us, and checks that this is still so: a lock's file can be deleted.
   */
  boolean isShipper(long nowNs) throws IOException {
    if (leases.isEmpty() || !lockLook.isDue(nowNs)) {
      return hasLooked();
    }
    host = null;
    boolean isShipper = false;
    try {
      isShipper = takeLocks();
    } finally {
      role = !isShipper ? Role.WAITING : host == null ? Role.HOST : Role.GUEST;
      if (!isShipper) { // else two that want the same locks could each hold one and wait
        leases.forEach(ShipLease::release);
      }
    }
    lockLook.done(nowNs, LOCK_LOOK_NS); // not before: a failure is retried at once
    if (isShipper) {
      patience.now();
    } else if (patience.isRequested()) {
      patience.done(nowNs, LOCK_LOOK_NS); // it may be one that is just ending
    } else if (patience.isDue(nowNs)) {
      patience.done(nowNs, Long.MAX_VALUE / 2);
      String text = "Another appender ships to %s; spooling only until it stops";
      listener.waits(text.formatted(destination.name()));
    }
    return isShipper;
  }

  /** Whether the last look for locks succeeded, and no other was requested since. */
  private boolean hasLooked() {
    return role != Role.WAITING && !lockLook.isRequested();
  }

  private boolean takeLocks() throws IOException {
    for (ShipLease lease : leases) {
      boolean isNeeded = own.isEmpty() || Records.isIn(lease, own) || Records.isIn(lease, orphans);
      Shipper other = shipper == null || lease.isHeld() ? null : lease.join(shipper);
      boolean isOne = host == null || other == null || host == other;
      boolean isOverflow = lease.directory().path().equals(overflow);
      if (!isOne || (other == null && !lease.take(isNeeded, isOverflow))) {
        return false;
      }
      host = other == null ? host : other;
    }
    if (host != null) {
      listener.opened();
      patience.now(); // no reason to warn
    }
    return host == null || !Sharing.offer(leases, host.queue);
  }

  /**
   * Finds the spools of dead processes, if it is time to look; not for a guest. Until that
   * succeeds, or has failed several times, nothing is begun: what is there may have to come first.
   */
  void scan(long nowNs) {
    for (ShipLease lease : leases) {
      lease.reportWarnings(listener);
    }
    boolean isKnown = failedScans == 0 && !orphans.isEmpty() && !scan.isRequested();
    if (host != null || isKnown || !scan.isDue(nowNs)) {
      return;
    }
    boolean complete = true;
    for (ShipLease lease : leases) {
      complete &= scan(lease);
    }
    if (overflow != null && !orphans.isEmpty()) {
      complete &= new OrphanOrder(leases, orphans, listener).restore();
    } else if (orphans.size() > 1) { // first what the destination may end with; else as they are
      orphans.sort(Comparator.comparingInt(Records::rank));
    }
    failedScans = complete ? 0 : failedScans + 1;
    scan.done(nowNs, isIncomplete() ? SCAN_RETRY_NS : ORPHAN_SCAN_NS);
  }

  private boolean isIncomplete() {
    return failedScans > 0 && failedScans < MAX_FAILED_SCANS;
  }

  private boolean scan(ShipLease lease) {
    try {
      if (!lease.isHeld() || lease.isGone()) {
        return true;
      }
      for (RecordSource orphan : lease.takeOver(this)) {
        orphans.add(new Records(lease, orphan, null, 0, listener));
      }
      reserve(lease);
      InstanceId last = lease.progress.last();
      return last == null || isKnown(last, lease.directory());
    } catch (IOException e) {
      listener.warn(
          "Cannot look for earlier spools in %s: %s".formatted(lease.directory().path(), e));
      return false;
    } finally {
      lease.reportWarnings(listener);
    }
  }

  /** False if the spool exists but could not be taken over. */
  private boolean isKnown(InstanceId named, SpoolDirectory directory) throws IOException {
    Sharing both = shipper == null ? null : shipper.sharing;
    Deque<Records> guests = both == null ? own : both.guest.queue.own;
    boolean isOurs = Records.find(own, named) != null || Records.find(guests, named) != null;
    return isOurs || Records.find(orphans, named) != null || !directory.holds(named);
  }

  private void reserve(ShipLease lease) {
    boolean hasOrphans = Records.isIn(lease, orphans);
    String found = hasOrphans || Records.isIn(lease, own) ? lease.progress.reserve() : null;
    if (found != null && hasOrphans) {
      listener.warn("%s: lines of earlier spools may be duplicated".formatted(found));
    }
  }

  /** The spool to begin or resume; it stays the next one until {@link #remove}. */
  @Nullable Records next() throws IOException {
    if (isIncomplete()) {
      return null;
    }
    return orphans.isEmpty() || !orphans.get(0).hasRoom() ? own.peek() : orphans.get(0);
  }

  /** Whether the spool can be shipped now: its new directory's lock may not be ours yet. */
  boolean claim(Records next) {
    boolean before = hasLooked();
    return next.claim(this) && hasLooked() == before;
  }

  void remove(Records transfer) {
    if (!orphans.remove(transfer)) {
      own.remove(transfer);
    } else if (orphans.isEmpty()) {
      scan.now(); // there may be more than are taken over at a time
    }
  }

  /** Whether all spools found are shipped; false before the first scan. */
  boolean isEmpty() {
    return !hasOrphans() && !isIncomplete() && own.isEmpty();
  }

  /** Whether nothing is left or added but one spool of ours, whose records are all appended. */
  boolean isSettled() {
    Records last = own.peek();
    return incoming.isEmpty()
        && hasLooked()
        && !hasOrphans()
        && !isIncomplete()
        && own.size() == 1
        && last != null
        && last.isLive()
        && last.isDrained();
  }

  /** Whether there are, or may be, spools of dead processes. */
  boolean hasOrphans() {
    return !orphans.isEmpty() || scan.isRequested();
  }

  /** Whether every record of our own spools is committed or counted as lost. */
  boolean isOwnShipped() {
    for (Records one : own) {
      if (!one.isDrained() || one.hasUncommitted()) {
        return false;
      }
    }
    return true;
  }

  /** Closes everything and keeps what is not shipped, for the next appender. */
  void close() {
    role = Role.CLOSED;
    takeIn();
    orphans.addAll(own);
    for (Records one : orphans) {
      one.leave();
    }
    for (ShipLease lease : leases) {
      lease.close();
    }
  }
}
