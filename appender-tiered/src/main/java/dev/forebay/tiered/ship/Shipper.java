package dev.forebay.tiered.ship;

import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.spool.SpoolReadException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Carries records from the spools to the destination: the only thread that ever waits for that.
 *
 * <p>Each turn copies available records, commits them when the fsync policy says so, and takes up
 * spools of dead processes. A disk failure costs only time: the records stay in the spool, and
 * after a pause the destination finds out where to continue.
 */
public final class Shipper implements Agent {

  /** Few, since only between turns do strays yield to our own log, and our spools to older ones. */
  private static final int BATCHES_PER_TURN = 4;

  /** Uncommitted bytes at which progress is committed early, to free the spool's segments. */
  public static final long COMMIT_BYTES = 8L << 20;

  /** How often to look for dead processes, a moved log, a deleted lock; so does a record. */
  private static final long IDLE_LOOK_NS = 60_000_000_000L;

  final SpoolQueue queue;
  final Destination destination;
  final FsyncPolicy fsync;
  final ShippingListener listener;
  private final NanoClock clock;
  private final Runnable first;
  private final @Nullable StrayShipper strays;
  final Interval retry = new Interval();

  /** The shipper that ships this one's records: itself or, at the last look, its host. */
  private Shipper host = this;

  /** The sharing with a guest; null while there is none. */
  volatile @Nullable Sharing sharing;

  /** The spool taken last, until it is discarded or abandoned. */
  @Nullable Records current;

  /** Why the last attempt failed; null if it did not. */
  volatile @Nullable Exception failure;

  /** Whether the destination must take the current spool again before anything else. */
  boolean isLost = true;

  /** Whether another process ships what is spooled here; written by the shipper's thread. */
  volatile boolean isElsewhere;

  private boolean stopping;
  private long lastCommitNs;
  volatile boolean commitRequested; // by any thread that waits for the log, or for room

  private volatile boolean timedOut; // set by the stopping thread

  /** Owns the queue. */
  public Shipper(SpoolQueue queue, FsyncPolicy fsync, NanoClock clock) {
    this(queue, fsync, clock, () -> {}, null);
  }

  /** With work to do before each turn, which may wait for a disk, and work to do when idle. */
  public Shipper(
      SpoolQueue queue,
      FsyncPolicy fsync,
      NanoClock clock,
      Runnable first,
      @Nullable StrayShipper strays) {
    this.queue = queue;
    this.destination = queue.destination;
    this.listener = queue.listener;
    this.fsync = fsync;
    this.clock = clock;
    this.first = first;
    this.strays = strays;
    queue.shipper = strays == null ? null : this; // an appender's, not for a dead process
    this.lastCommitNs = clock.nanoTime();
  }

  @Override
  public int doWork() {
    int work = shipOwn();
    return strays == null ? work : Math.max(work, strays.doWork(work != MORE));
  }

  private int shipOwn() {
    takeIn();
    long nowNs = clock.nanoTime();
    if (!retry.isDue(nowNs)) {
      return 0;
    }
    try {
      int work = mayShip(nowNs) ? host.turn(this, nowNs) : 0;
      retry.now();
      failure = null;
      listener.worked();
      return work;
    } catch (IOException | RuntimeException e) { // policies of the user may throw anything
      failed(e);
      return 0;
    }
  }

  /** Takes in what the flusher's thread added, after the work to do before each turn. */
  void takeIn() {
    first.run();
    host.takeIn(queue);
  }

  private synchronized void takeIn(SpoolQueue of) {
    of.takeIn();
  }

  /** Whether this one or its host may write to the destination. */
  private synchronized boolean mayShip(long nowNs) throws IOException {
    boolean wasLost = isLost;
    isLost = true; // until we hold the ship lock, other processes may write there
    boolean mayShip = queue.locks.isShipper(nowNs);
    host = queue.locks.host != null ? queue.locks.host : mayShip ? this : host;
    if (mayShip && host == this) {
      isLost = wasLost;
    } else {
      endSharing();
    }
    return mayShip;
  }

  /** Not once its time to end is over: what it leaves comes before what others have. */
  boolean mayHost() {
    return queue.locks.role == Role.HOST && !timedOut;
  }

  /** Ends sharing: the spool taken last, if any, is this shipper's own. */
  void endSharing() {
    current = sharing == null || sharing.user == this ? current : null;
    sharing = null;
  }

  private void failed(Exception cause) {
    if (cause instanceof SpoolReadException) {
      listener.unreadable(cause);
    } else {
      listener.failed(cause);
    }
    failure = cause;
    Records last = current; // a guest's thread may write it
    retry.failed(clock.nanoTime(), last == null ? 0 : last.appended());
  }

  /** A turn of this one or its guest: on the thread of that. */
  private int turn(Shipper of, long nowNs) throws IOException {
    Sharing both = sharing;
    if (both != null) {
      both.want(of);
    }
    synchronized (this) {
      if (of != this && (!mayHost() || sharing == null || sharing.guest != of)) {
        return 0; // we have ended, or share with another one
      }
      try {
        return ship(of, nowNs);
      } catch (Throwable t) { // the next turn must not continue mid-record
        isLost = true;
        throw t;
      }
    }
  }

  private int ship(Shipper of, long nowNs) throws IOException {
    of.queue.scan(nowNs);
    Records next = next(of, nowNs);
    if (next == null || !of.queue.claim(next)) {
      return 0;
    }
    if (next.isExhausted()) { // it needs no commit, for which there may be no space
      return discard(of, next);
    }
    if (isLost && (current == null || next == current) && next.isRemoved()) {
      of.listener.warn("The spool %s was removed".formatted(next.path()));
      abandon(of, next);
      return 1;
    }
    take(of, next, nowNs);
    int records = copy(of, next);
    commitIfDue(of, next, nowNs);
    return next.isExhausted() ? discard(of, next) : records;
  }

  /** A spool is shipped from its first to its last record, but a live one waits for orphans. */
  private @Nullable Records next(Shipper of, long nowNs) throws IOException {
    Records last = current;
    if (sharing != null) {
      return sharing.next(of, last, isLost, nowNs);
    }
    boolean continues = last != null && (isLost || !last.isLive());
    return continues ? last : queue.next(nowNs);
  }

  private void take(Shipper of, Records next, long nowNs) throws IOException {
    Records last = current;
    if (next == last && !isLost) {
      return;
    }
    if (last != null && next != last) {
      destination.suspend(last);
    }
    if (sharing != null) {
      sharing.take(of, nowNs);
    }
    current = last == null ? null : next; // nothing is here yet, and an older one may be found
    destination.take(next, isLost);
    current = next;
    of.queue.settled = next.instance();
    isLost = false;
    lastCommitNs = nowNs;
  }

  private int copy(Shipper of, Records from) throws IOException {
    int records = 0;
    for (int i = 0; i < BATCHES_PER_TURN && !of.timedOut; i++) {
      int copied = destination.copy(from);
      if (copied == Destination.LOST) {
        isLost = true;
        return records;
      }
      records += copied;
      if (canCommit()
          && (of.fsync.intervalNs() == 0 || destination.uncommittedBytes(from) >= COMMIT_BYTES)) {
        commit(from);
      }
      if (copied == 0) {
        return records;
      }
    }
    return of.timedOut ? records : MORE;
  }

  private void commitIfDue(Shipper of, Records records, long nowNs) throws IOException {
    if (isLost) {
      return;
    }
    boolean ends = !records.isLive() && records.isDrained();
    if (canCommit()
        && (ends
            || of.fsync.isDue(nowNs - lastCommitNs)
            || (of.commitRequested && records.isWorthACommit()))) {
      commit(records);
    }
    if (!canCommit()) {
      if (of.commitRequested && !isLost) {
        records.release();
      }
      of.commitRequested = false;
    }
  }

  private void commit(Records records) throws IOException {
    destination.commit(records);
    lastCommitNs = clock.nanoTime();
  }

  /** Whether something was copied that can be committed now. */
  private boolean canCommit() {
    return current != null && current.hasUncommitted() && !isLost;
  }

  private int discard(Shipper of, Records done) throws IOException {
    done.discard();
    forget(of, done);
    return MORE; // thousands may wait
  }

  /** Ends a spool that is gone or will be: what was copied counts if it can be made final. */
  private void abandon(Shipper of, Records last) {
    boolean isFinal;
    try {
      isFinal = destination.abandon(last);
    } catch (IOException e) {
      of.listener.failed(e);
      isLost = true;
      isFinal = !fsync.forces() || !last.hasUncommitted();
    }
    last.abandon(isFinal);
    forget(of, last);
  }

  private void forget(Shipper of, Records records) {
    of.queue.remove(records);
    if (current == records) {
      current = null;
    }
  }

  /** Time until the next duty, while every record is in the log: then it needs few open files. */
  @Override
  public synchronized long sleepNs(long nowNs) {
    Records last = current;
    boolean isActive = commitRequested || retry.failures > 0 || isLost || sharing != null;
    if (last == null || isActive || !queue.isSettled()) { // a guest hands over work, no wake
      return 0;
    }
    long lookNs = strays == null ? IDLE_LOOK_NS : Math.min(IDLE_LOOK_NS, strays.dueInNs(nowNs));
    long commitNs = canCommit() ? fsync.dueInNs(nowNs - lastCommitNs) : lookNs;
    last.rest();
    return Math.min(lookNs, Math.min(commitNs, destination.dueInNs(queue.nowMs())));
  }

  @Override
  public boolean finish() {
    if (!stopping) {
      stopping = true;
      retry.now(); // the time to stop in may be shorter than the delay
      queue.lookNow();
    }
    commitRequested = true;
    shipOwn();
    host.takeIn(queue);
    try {
      return timedOut || host.hasShipped(queue) || !mayShip(clock.nanoTime());
    } catch (IOException e) {
      listener.failed(e);
      return true;
    }
  }

  private synchronized boolean hasShipped(SpoolQueue of) {
    // An orphan found during the stop is shipped too, unless it causes a failure.
    return of.isOwnShipped() && (isLost || of.locks.host != null || !of.hasOrphans());
  }

  @Override
  public void onClose() {
    try {
      host.takeIn(queue);
      leave();
    } finally {
      close();
      leave(); // what it leaves can be taken over now
    }
  }

  void leave() {
    if (host != this) {
      Sharing.leave(this, host);
    }
  }

  private synchronized void close() {
    try {
      Records last = sharing == null || sharing.user == this ? current : null;
      if (last != null && (last.isRemoved() || last.isLostWithProcess() && !last.isExhausted())) {
        abandon(this, last);
      }
      if (current != null && !isLost) {
        destination.suspend(current);
      }
      endSharing();
      if (!isLost && queue.isLast()) {
        destination.end();
      }
      Records done = queue.next(clock.nanoTime());
      while (done != null && queue.claim(done) && done.isExhausted()) {
        int unused = discard(this, done);
        done = queue.next(clock.nanoTime());
      }
    } catch (IOException | RuntimeException e) {
      listener.failed(e);
    } finally { // also after an Error: onClose is not called twice
      try {
        if (strays != null) {
          strays.close();
        }
      } finally {
        try {
          destination.close();
        } finally {
          queue.close(); // releases the locks even if the log fails
        }
      }
    }
  }

  public boolean isElsewhere() {
    return isElsewhere;
  }

  /** Requests a commit soon, ahead of the interval. For any thread. */
  public void requestCommit() {
    commitRequested = true;
  }

  /** Called by the stopping thread when its time is over: unshipped records stay in the spool. */
  public void timeOut() {
    timedOut = true;
  }
}
