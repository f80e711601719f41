package dev.forebay.tiered.ship;

import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.LiveSpool;
import dev.forebay.tiered.spool.OtherForm;
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
  final Queue<Arrival> incoming = new ConcurrentLinkedQueue<>();

  final List<ShipLease> leases = new ArrayList<>();
  final List<Records> orphans = new ArrayList<>();
  final Deque<Records> own = new ArrayDeque<>();

  /** Whether another process is meant to ship these. */
  boolean isFollowed;

  /** What living processes have us ship; null in a process with spools of its own. */
  @Nullable LiveSpools live;

  /** Where full spools overflow to, once there is something; otherwise null. */
  volatile @Nullable Path overflow;

  /** The spool taken last; null until then what the destination ends with may come first. */
  @Nullable InstanceId settled;

  private @Nullable OtherForm lines;

  /** Records in our own retired spools. */
  private long ownRecords;

  final ShipLocks locks = new ShipLocks(this);

  /** The queue's shipper; null if no other shipper of this process has to know it. */
  @Nullable Shipper shipper;

  final Interval scan = new Interval();
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

  /** How to read JVMs' directories whose owners live; before the first use. */
  public void readLive(OtherForm form) {
    lines = form;
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
    spool.retire();
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
    return locks.role == Role.CLOSED;
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
    locks.lookNow();
    scan.now();
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
    if (locks.host != null || isKnown || !scan.isDue(nowNs)) {
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
    boolean isSoon = isIncomplete() || (live != null && live.isEnding());
    scan.done(nowNs, isSoon ? SCAN_RETRY_NS : ORPHAN_SCAN_NS);
  }

  private boolean isIncomplete() {
    return failedScans > 0 && failedScans < MAX_FAILED_SCANS;
  }

  private boolean scan(ShipLease lease) {
    try {
      if (live != null) {
        live.forget(lease);
      }
      if (!lease.isHeld() || lease.isGone()) {
        return true;
      }
      boolean isBarred = false;
      for (RecordSource orphan : lease.takeOver(this)) {
        isBarred |= live != null && live.holds(orphan.instanceId());
        if (live != null && isBarred && mayWait(orphan.instanceId(), lease)) {
          live.lookNow(); // an older one ends first
          orphan.close();
        } else {
          orphans.add(new Records(lease, orphan, null, 0, listener));
        }
      }
      if (live != null) {
        live.find(lease, orphans, listener);
      }
      reserve(lease);
      InstanceId last = lease.progress.last();
      return last == null || isKnown(last, lease.directory()) || isLive(last, lease);
    } catch (IOException e) {
      listener.warn(
          "Cannot look for earlier spools in %s: %s".formatted(lease.directory().path(), e));
      return false;
    } finally {
      lease.reportWarnings(listener);
    }
  }

  /** False for one whose end may be what others wait for. */
  private boolean mayWait(InstanceId orphan, ShipLease lease) throws IOException {
    return (live != null && live.holds(orphan)) || !lease.progress.isNamed(orphan);
  }

  /** False if the spool exists but could not be taken over. */
  private boolean isKnown(InstanceId named, SpoolDirectory directory) throws IOException {
    Sharing both = shipper == null ? null : shipper.sharing;
    Deque<Records> guests = both == null ? own : both.guest.queue.own;
    boolean isOurs = Records.find(own, named) != null || Records.find(guests, named) != null;
    isOurs |= live != null && live.holds(named);
    return isOurs || Records.find(orphans, named) != null || !directory.holds(named);
  }

  /**
   * Whether a living process has others ship the spool. If the destination may end with its
   * records, it comes first, as far as it is written; only its owner counts them.
   */
  private boolean isLive(InstanceId named, ShipLease lease) throws IOException {
    OtherForm form = lines == null ? OtherForm.UNKNOWN : lines;
    for (LiveSpool other : LiveSpool.in(lease.directory(), one -> !one.equals(named), form)) {
      if (lease.progress.rank(named) == 0 && !named.equals(settled)) {
        if (other.publishedSequence() == 0 || !other.isListed()) { // it cannot be read now
          return false;
        }
        Records records = new Records(lease, other.source(), other, 0, new ShippingListener() {});
        records.complete = true;
        orphans.add(records);
      }
      return true;
    }
    return false;
  }

  private void reserve(ShipLease lease) {
    boolean hasOrphans = lease.isOfAny(orphans);
    boolean isUsed = hasOrphans || lease.isOfAny(own) || (live != null && live.isIn(lease));
    String found = isUsed ? lease.progress.reserve() : null;
    if (found != null && hasOrphans) {
      listener.warn("%s: lines of earlier spools may be duplicated".formatted(found));
    }
  }

  /** The spool to begin or resume; it stays the next one until {@link #remove}. */
  @Nullable Records next(long nowNs) throws IOException {
    if (isIncomplete()) {
      return null;
    }
    Records last = settled != null ? null : live == null ? ShipLease.last(own) : live.last();
    if (last != null) { // what cannot be listed looks foreign at the end of the log
      return live == null || live.isListed(last) ? last : null;
    }
    if (!orphans.isEmpty() && orphans.get(0).hasRoom()) {
      return orphans.get(0);
    }
    return live == null ? own.peek() : live.next(nowNs);
  }

  /** Whether our first spool can be shipped without the position of another being forgotten. */
  boolean hasRoom() throws IOException {
    Records first = own.peek();
    return first == null || first.hasRoom();
  }

  /** Whether the spool can be shipped now: its new directory's lock may not be ours yet. */
  boolean claim(Records next) {
    boolean before = locks.hasLooked();
    return next.claim(this) && locks.hasLooked() == before;
  }

  void remove(Records transfer) {
    if (live != null && live.remove(transfer)) {
      scan.now(); // what its owner has not shown, or another one
    } else if (!orphans.remove(transfer)) {
      own.remove(transfer);
    } else if (orphans.isEmpty()) {
      scan.now(); // there may be more than are taken over at a time
    }
  }

  /** Whether all spools found are shipped; false before the first scan. */
  boolean isEmpty() {
    return !hasOrphans() && !isIncomplete() && own.isEmpty() && (live == null || live.isEmpty());
  }

  /** Whether nothing is left or added but one spool of ours, whose records are all appended. */
  boolean isSettled() {
    Records last = own.peek();
    boolean isQuiet = incoming.isEmpty() && locks.hasLooked() && !hasOrphans() && !isIncomplete();
    if (live != null) {
      return isQuiet && live.isSettled();
    }
    return isQuiet && own.size() == 1 && last != null && last.isLive() && last.isDrained();
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

  /** Whether nobody goes on with the log when we end. */
  boolean isLast() {
    return live == null || live.isEmpty();
  }

  /** Closes everything and keeps what is not shipped, for the next appender. */
  void close() {
    locks.role = Role.CLOSED;
    takeIn();
    orphans.addAll(own);
    for (Records one : orphans) {
      one.leave();
    }
    if (live != null) {
      live.close();
    }
    for (ShipLease lease : leases) {
      lease.close();
    }
  }
}
