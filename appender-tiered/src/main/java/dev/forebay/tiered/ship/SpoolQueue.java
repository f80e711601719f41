package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The spools to be shipped, in order: first the one the checkpoint names, because the log may end
 * with its records; then other spools of dead processes, oldest first; then our own in the order of
 * their creation.
 *
 * <p>The flusher's thread adds and retires; everything else is for the shipper's thread.
 */
public final class SpoolQueue {

  /** How often to look for spools of processes that have died. */
  private static final long ORPHAN_SCAN_NS = 10_000_000_000L;

  private static final long SCAN_RETRY_NS = 100_000_000;

  /** A spool that cannot be taken over must not block the others forever. */
  private static final int MAX_FAILED_SCANS = 8;

  private final ShippingListener listener;
  private final LongSupplier wallClockMs;
  private final Queue<Arrival> incoming = new ConcurrentLinkedQueue<>();
  private final LateSpools late;

  private final StrayNotices notices;
  private final List<ShipLease> leases = new ArrayList<>();
  private final ShipRight right;
  private final List<SpoolTransfer> orphans = new ArrayList<>();
  private final Deque<SpoolTransfer> own = new ArrayDeque<>();

  /** Set by close(): the shipper takes in nothing more. Read by the flusher's thread. */
  private volatile boolean closed;

  /** Records in our own retired spools. */
  private long ownRecords;

  private final Interval scan = new Interval();
  private int failedScans; // in succession

  /** Ships to {@code log} on {@code disk}; the wall clock is for the age of damaged segments. */
  public SpoolQueue(Disk disk, Path log, ShippingListener listener, LongSupplier wallClockMs) {
    this(disk, log, listener, wallClockMs, new StrayNotices());
  }

  /** One whose directories are no strays for other appenders with the same {@code notices}. */
  public SpoolQueue(
      Disk disk,
      Path log,
      ShippingListener listener,
      LongSupplier wallClockMs,
      StrayNotices notices) {
    this.notices = notices;
    this.listener = listener;
    this.wallClockMs = wallClockMs;
    this.late = new LateSpools(incoming, listener);
    this.right = new ShipRight(disk, log, leases, listener);
  }

  /** Adds spools of dead processes in a directory without a spool of ours. */
  public void addDirectory(SpoolDirectory directory) {
    incoming.add(new Arrival(directory, null, false, 0));
  }

  /** Adds a spool of our own. Called by the flusher's thread before it writes to the spool. */
  public void add(SpoolDirectory directory, Spool spool) {
    incoming.add(new Arrival(directory, spool, false, 0));
  }

  /**
   * Nothing more is added to this spool, and what did not get into its files is lost. Called by the
   * flusher's thread, once for each spool.
   */
  public void retire(SpoolDirectory directory, Spool spool) {
    retire(directory, spool, spool.writer().nextSequence() - spool.writer().publishedSequence());
  }

  /**
   * Nothing more is added to this spool; what did not get into its files goes to the next spool,
   * which counts it. Called by the flusher's thread, once for each spool.
   */
  public void retireToNext(SpoolDirectory directory, Spool spool) {
    retire(directory, spool, 0);
  }

  private void retire(SpoolDirectory directory, Spool spool, long unwritten) {
    incoming.add(new Arrival(directory, spool, true, unwritten));
    if (closed) {
      late.decide();
    }
  }

  /** Whether the shipper takes in nothing more. For any thread. */
  public boolean isClosed() {
    return closed;
  }

  /** Takes in what the flusher's thread added; after an Error, the next call repeats the rest. */
  void takeIn() {
    for (Arrival arrival = incoming.peek(); arrival != null; arrival = incoming.peek()) {
      ShipLease lease = leaseOf(arrival.directory());
      Spool spool = arrival.spool();
      SpoolTransfer known = spool == null ? null : find(own, spool.instanceId());
      if (known != null && arrival.retired()) {
        known.markComplete();
      } else if (known == null && spool != null && !arrival.retired()) {
        own.add(SpoolTransfer.own(lease, spool, ownRecords));
      }
      if (incoming.remove(arrival) && spool != null && arrival.retired()) {
        ownRecords += spool.writer().publishedSequence() + arrival.unwritten();
        listener.lost(arrival.unwritten());
      }
    }
  }

  private ShipLease leaseOf(SpoolDirectory directory) {
    for (ShipLease lease : leases) {
      if (lease.directory() == directory) {
        return lease;
      }
      if (lease.directory().path().equals(directory.path())) {
        lease.moveTo(directory);
        recheck();
        return lease;
      }
    }
    ShipLease fresh = new ShipLease(directory);
    leases.add(fresh);
    notices.begin(directory.path());
    recheck();
    return fresh;
  }

  private void recheck() {
    right.recheck();
    scan.now();
  }

  /** Makes the next turn look at once for spools of a process that may have ended just now. */
  void lookNow() {
    right.lookNow();
    scan.now();
  }

  boolean isShipper(long nowNs) throws IOException {
    return right.isHeld(nowNs);
  }

  /**
   * Finds the spools of dead processes, if it is time to look. If that fails, it is retried soon,
   * and until {@link #MAX_FAILED_SCANS} nothing is begun: the log may end with an orphan's records.
   */
  void scan(long nowNs) {
    reportWarnings();
    boolean isKnown = failedScans == 0 && !orphans.isEmpty() && !scan.isRequested();
    if (isKnown || !scan.isDue(nowNs)) {
      return;
    }
    boolean complete = true;
    for (ShipLease lease : leases) {
      complete &= scan(lease);
    }
    orphans.sort(Comparator.comparingInt(SpoolQueue::rank)); // stable: equal ranks keep their order
    failedScans = complete ? 0 : failedScans + 1;
    scan.done(nowNs, isIncomplete() ? SCAN_RETRY_NS : ORPHAN_SCAN_NS);
  }

  private boolean isIncomplete() {
    return failedScans > 0 && failedScans < MAX_FAILED_SCANS;
  }

  /**
   * The orphan that the checkpoint names precedes older ones: its records may follow the committed
   * end of the log, and nothing may come between.
   */
  private static int rank(SpoolTransfer orphan) {
    Checkpoint last = orphan.lease().checkpoint().newest();
    if (last == null || !last.names(orphan.instance())) {
      return 2;
    }
    return last.state() == State.BOUNDARY ? 1 : 0;
  }

  private boolean scan(ShipLease lease) {
    try {
      if (lease.isGone()) {
        return true;
      }
      orphans.addAll(lease.takeOver(wallClockMs.getAsLong()));
      Checkpoint last = lease.checkpoint().load();
      reportFault(lease);
      reserve(lease);
      return last == null || isKnown(last.next().instance(), lease.directory());
    } catch (IOException e) {
      listener.warn(
          "Cannot look for earlier spools in %s: %s".formatted(lease.directory().path(), e));
      return false;
    } finally {
      reportWarnings();
    }
  }

  /** False if the spool exists but could not be taken over. */
  private boolean isKnown(InstanceId named, SpoolDirectory directory) throws IOException {
    return find(orphans, named) != null || find(own, named) != null || !directory.holds(named);
  }

  private void reportFault(ShipLease lease) {
    String fault = lease.checkpoint().takeFault();
    if (fault != null && isIn(lease, orphans)) {
      listener.warn(
          "The checkpoint %s: lines of earlier spools may be duplicated".formatted(fault));
    }
  }

  /**
   * Allocates the checkpoint's space early, if the checkpoint will be needed. Without space the
   * first save fails and reports it.
   */
  private void reserve(ShipLease lease) {
    if (isIn(lease, own) || isIn(lease, orphans)) {
      try {
        lease.checkpoint().reserve();
      } catch (IOException e) {
        // The first save reports it.
      }
    }
  }

  private static boolean isIn(ShipLease lease, Collection<SpoolTransfer> transfers) {
    return transfers.stream().anyMatch(one -> one.lease() == lease);
  }

  private void reportWarnings() {
    leases.forEach(lease -> lease.directory().takeWarnings().forEach(listener::warn));
  }

  private static @Nullable SpoolTransfer find(
      Collection<SpoolTransfer> transfers, InstanceId instance) {
    for (SpoolTransfer transfer : transfers) {
      if (transfer.instance().equals(instance)) {
        return transfer;
      }
    }
    return null;
  }

  /** The spool to begin or resume; it stays the next one until {@link #remove}. */
  @Nullable SpoolTransfer next() {
    if (isIncomplete()) {
      return null;
    }
    return orphans.isEmpty() ? own.peek() : orphans.get(0);
  }

  void remove(SpoolTransfer transfer) {
    if (!orphans.remove(transfer)) {
      own.remove(transfer);
    } else if (orphans.isEmpty()) {
      scan.now(); // there may be more than are taken over at a time
    }
  }

  /** Whether all spools found are shipped; false before the first scan. */
  boolean isEmpty() {
    return !scan.isRequested() && !isIncomplete() && orphans.isEmpty() && own.isEmpty();
  }

  /**
   * Whether nothing is left but one spool of ours, of which every record was appended. Looks for
   * what the flusher's thread has added since.
   */
  boolean isSettled() {
    SpoolTransfer last = own.peek();
    return incoming.isEmpty()
        && right.wasHeld()
        && !scan.isRequested()
        && !isIncomplete()
        && orphans.isEmpty()
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
    return own.stream().allMatch(one -> one.isDrained() && !one.hasUncommitted());
  }

  /** Closes everything and keeps what is not shipped, for the next appender. */
  void close() {
    closed = true;
    takeIn();
    orphans.forEach(orphan -> orphan.leave(listener));
    own.forEach(this::close);
    try {
      right.close();
    } finally {
      leases.forEach(lease -> notices.end(lease.directory().path()));
    }
  }

  private void close(SpoolTransfer transfer) {
    boolean lost = transfer.isLostWithProcess();
    try {
      lost |= transfer.isRemoved();
    } catch (IOException e) {
      listener.failed(e);
    }
    if (lost) {
      transfer.abandon(true, listener);
    } else {
      transfer.leave(listener);
    }
  }
}
