package dev.forebay.tiered.ship;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.ship.Checkpoint.State;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is to be shipped, and in which order: spools whose processes are gone, oldest first, then
 * our own in the order they were made. Nothing is shipped without the ship locks of all directories
 * known.
 *
 * <p>The flusher's thread adds and retires; everything else is the shipper's thread's.
 */
public final class Docket {

  /** How often the locks are looked at: those that others hold, and our own. */
  private static final long LOCK_RETRY_NS = 500_000_000;

  /** How often spools of processes that died meanwhile are looked for. */
  private static final long ORPHAN_SCAN_NS = 10_000_000_000L;

  private static final long SCAN_RETRY_NS = 100_000_000;

  /** A spool that nobody can take over must not hold up the others for good. */
  private static final int MAX_FAILED_SCANS = 8;

  private final Path log;
  private final LogLock logLock;
  private final ShipmentAccount account;
  private final LongSupplier wallClockMs;
  private final Queue<Arrival> incoming = new ConcurrentLinkedQueue<>();

  private final List<Home> homes = new ArrayList<>();
  private final Deque<Cargo> orphans = new ArrayDeque<>();
  private final Deque<Cargo> own = new ArrayDeque<>();

  private final LateSpools late;

  /** Raised by close(): the shipper takes nothing in any more. Read by the flusher's thread. */
  private volatile boolean closed;

  /** Orphans that cannot be read: kept and locked, for the next start. */
  private final List<Cargo> aside = new ArrayList<>();

  private final Set<Path> cleaned = new HashSet<>();

  /** Records in own spools that were retired. */
  private long ownRecords;

  private boolean locked;
  private boolean toldWaiting;
  private boolean scanned;
  private int failedScans;

  /** Whether an orphan may be missing that has to be shipped first. */
  private boolean incomplete;

  private long nextLockNs;
  private long nextScanNs;

  /** Ships to {@code log} on {@code disk}; the wall clock is for the age of damaged segments. */
  public Docket(Disk disk, Path log, ShipmentAccount account, LongSupplier wallClockMs) {
    this.log = log;
    this.logLock = new LogLock(disk, log, account);
    this.account = account;
    this.late = new LateSpools(incoming, account);
    this.wallClockMs = wallClockMs;
  }

  /** Makes spools of dead processes in this directory known, though nothing of ours is there. */
  public void addDirectory(SpoolDirectory directory) {
    incoming.add(new Arrival(directory, null, false, 0));
  }

  /** Adds a spool of our own. The flusher's thread, before it writes to it. */
  public void add(SpoolDirectory directory, Spool spool) {
    incoming.add(new Arrival(directory, spool, false, 0));
  }

  /**
   * Nothing will be added to this spool, and what did not get into its files is lost. The flusher's
   * thread, once for each spool.
   */
  public void retire(SpoolDirectory directory, Spool spool) {
    SpoolWriter writer = spool.writer();
    retire(directory, spool, writer.nextSequence() - writer.publishedSequence());
  }

  /**
   * Nothing will be added to this spool; what did not get into its files goes to the next spool,
   * which counts it. The flusher's thread, once for each spool.
   */
  public void retireToNext(SpoolDirectory directory, Spool spool) {
    retire(directory, spool, 0);
  }

  private void retire(SpoolDirectory directory, Spool spool, long unwritten) {
    incoming.add(new Arrival(directory, spool, true, unwritten));
    if (closed) {
      late.settle();
    }
  }

  /** Whether nothing is taken in any more. Any thread. */
  public boolean isClosed() {
    return closed;
  }

  /** Takes in what the flusher's thread added; what an Error interrupts comes again. */
  void takeIn() {
    for (Arrival arrival = incoming.peek(); arrival != null; arrival = incoming.peek()) {
      Home home = homeOf(arrival.directory());
      Spool spool = arrival.spool();
      Cargo known = spool == null ? null : find(own, spool.source().instanceId());
      if (known != null && arrival.retired()) {
        known.markComplete();
      } else if (known == null && spool != null && !arrival.retired()) {
        own.add(newCargo(home, spool));
      }
      if (incoming.remove(arrival) && spool != null && arrival.retired()) {
        ownRecords += spool.writer().publishedSequence() + arrival.unwritten();
        account.lost(arrival.unwritten());
      }
    }
  }

  private Cargo newCargo(Home home, Spool spool) {
    Cargo cargo = Cargo.own(home, spool, ownRecords);
    try {
      cargo.reserveMark();
    } catch (IOException e) {
      // Then there must be room when the mark is left. The spool itself may still be of use.
    }
    return cargo;
  }

  private Home homeOf(SpoolDirectory directory) {
    for (Home home : homes) {
      if (home.directory() == directory) {
        return home;
      }
      if (home.directory().path().equals(directory.path())) {
        home.moveTo(directory);
        lookAgain();
        return home;
      }
    }
    Home fresh = new Home(directory);
    homes.add(fresh);
    lookAgain();
    return fresh;
  }

  private void lookAgain() {
    locked = false;
    scanned = false;
    nextLockNs = Long.MIN_VALUE;
  }

  /** Has the next turn look at once for what another left that may have gone just now. */
  void hurry() {
    scanned = false;
    nextLockNs = locked ? nextLockNs : Long.MIN_VALUE;
  }

  /**
   * Whether we are the one shipper of this log; tries to become it from time to time, and looks
   * whether it still is: the file of a lock can be deleted.
   */
  boolean isShipper(long nowNs) throws IOException {
    if (homes.isEmpty() || nextLockNs != Long.MIN_VALUE && nowNs - nextLockNs < 0) {
      return locked;
    }
    locked = false;
    locked = Home.lockAll(homes) && (isShared() || logLock.take());
    nextLockNs = nowNs + LOCK_RETRY_NS; // not before: a failure is met again until it ends
    if (locked) {
      toldWaiting = false;
    } else if (!toldWaiting) {
      toldWaiting = true;
      account.warn("Another appender ships to %s; spooling only, until it has gone".formatted(log));
    }
    return locked;
  }

  private boolean isShared() {
    return homes.stream().anyMatch(home -> home.disk().outlivesProcess());
  }

  /**
   * Finds the spools of dead processes, if it is time to look. Where that fails it is tried again
   * soon, and for a while nothing is shipped: an orphan's records may end the log.
   */
  void scan(long nowNs) {
    tellWarnings();
    if (scanned && nowNs - nextScanNs < 0) {
      return;
    }
    homes.forEach(this::reserve);
    boolean complete = true;
    for (Home home : homes) {
      complete &= scan(home);
    }
    homes.forEach(this::reserve);
    scanned = true; // not earlier: an Error on the way must not pass for a look at all of it
    failedScans = complete ? 0 : failedScans + 1;
    incomplete = failedScans > 0 && failedScans < MAX_FAILED_SCANS;
    nextScanNs = nowNs + (incomplete ? SCAN_RETRY_NS : ORPHAN_SCAN_NS);
  }

  /** A directory with nothing to ship may have no room for a checkpoint either. */
  private void reserve(Home home) {
    if (Stream.concat(own.stream(), orphans.stream()).anyMatch(one -> one.home() == home)) {
      home.reserve(account);
    }
  }

  private boolean scan(Home home) {
    SpoolDirectory directory = home.directory();
    try {
      if (home.isGone()) {
        return true;
      }
      if (cleaned.add(directory.path())) {
        directory.cleanUp(wallClockMs.getAsLong());
      } else {
        directory.trimQuarantine(wallClockMs.getAsLong());
      }
      for (RecordSource source : directory.orphans()) {
        orphans.add(Cargo.orphan(home, source));
      }
      Checkpoint last = home.checkpoint().load();
      tellFault(home, last);
      return last == null || bringForward(home, last);
    } catch (IOException e) {
      account.warn("Cannot look for earlier spools in %s: %s".formatted(directory.path(), e));
      return false;
    } finally {
      tellWarnings();
    }
  }

  /**
   * Where the log can be compared with the spool that the checkpoint names, nothing is in doubt.
   */
  private void tellFault(Home home, @Nullable Checkpoint last) {
    String fault = home.checkpoint().takeFault();
    boolean compares =
        last != null && last.state() != State.BOUNDARY && find(orphans, last.instance()) != null;
    if (fault != null && !compares && orphans.stream().anyMatch(one -> one.home() == home)) {
      account.warn("The checkpoint %s: lines of earlier spools may be doubled".formatted(fault));
    }
  }

  /** Damage shows itself while a spool is read, long after it was found. */
  private void tellWarnings() {
    homes.forEach(home -> home.directory().takeWarnings().forEach(account::warn));
  }

  /**
   * The orphan that the checkpoint names goes before older ones: its records may stand behind the
   * settled end of the log, so that nothing may come in between, and only this checkpoint says how
   * far it is. At a boundary no records follow, but a process can die there before it has left its
   * mark.
   *
   * @return false if it is there and could not be taken over
   */
  private boolean bringForward(Home home, Checkpoint last) throws IOException {
    InstanceId instance = last.instance();
    Cargo named = find(orphans, instance);
    if (named == null) {
      return find(own, instance) != null || !home.directory().holds(instance);
    }
    if (last.state() != State.BOUNDARY || !named.isMarked(last.sequence())) {
      orphans.remove(named);
      orphans.addFirst(named);
    }
    return true;
  }

  private static @Nullable Cargo find(Deque<Cargo> cargos, InstanceId instance) {
    for (Cargo cargo : cargos) {
      if (cargo.source().instanceId().equals(instance)) {
        return cargo;
      }
    }
    return null;
  }

  /** The cargo to ship now; it stays the next one until {@link #remove}. */
  @Nullable Cargo next() {
    if (incomplete) {
      return null;
    }
    Cargo orphan = orphans.peek();
    return orphan != null ? orphan : own.peek();
  }

  /** Whether all that there was is shipped or set aside; false before it was looked for. */
  boolean isEmpty() {
    return scanned && !incomplete && orphans.isEmpty() && own.isEmpty();
  }

  void remove(Cargo cargo) {
    if (!orphans.remove(cargo)) {
      own.remove(cargo);
    }
  }

  /** An orphan is not to be shipped before the next start. */
  void setAside(Cargo orphan) {
    orphans.remove(orphan);
    aside.add(orphan);
  }

  /** Whether this cargo is the only one left. */
  boolean isLast(Cargo cargo) {
    return orphans.isEmpty() && own.size() == 1 && own.peek() == cargo;
  }

  boolean hasOrphans() {
    return !orphans.isEmpty();
  }

  /** Whether every record of our own spools is settled or given up. */
  boolean isOwnShipped() throws IOException {
    for (Cargo cargo : own) {
      if (cargo.settled() < cargo.source().limitSequence()) {
        return false;
      }
    }
    return true;
  }

  /** Closes everything and keeps what is not shipped, for the next appender. */
  void close() {
    closed = true;
    takeIn();
    orphans.forEach(cargo -> cargo.leave(account));
    aside.forEach(cargo -> cargo.leave(account));
    own.forEach(this::close);
    homes.forEach(Home::close);
    logLock.close();
  }

  private void close(Cargo cargo) {
    boolean removed = false;
    try {
      removed = cargo.isRemoved();
    } catch (IOException e) {
      account.failed(e);
    }
    if (removed) {
      cargo.abandon(account);
    } else if (cargo.isLostWithProcess()) {
      cargo.tellLost(account);
      cargo.abandon(account);
    } else {
      cargo.leave(account);
    }
  }
}
