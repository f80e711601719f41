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

  /** Few: between two turns strays yield to our own log, and spools of ours to older ones. */
  private static final int BATCHES_PER_TURN = 4;

  /** Uncommitted bytes at which progress is committed early, to free the spool's segments. */
  private static final long COMMIT_BYTES = 8L << 20;

  /**
   * How often an idle shipper looks for what others do: spools of processes that have died, a log
   * that was moved, a lock that was deleted. The next record causes a look too.
   */
  private static final long IDLE_LOOK_NS = 60_000_000_000L;

  /** A failed attempt is repeated after 20 ms, doubling up to 2 s. */
  private static final long FIRST_RETRY_NS = 20_000_000;

  private static final long MAX_RETRY_NS = 2_000_000_000;
  private static final int MAX_DOUBLINGS = 7;

  private final SpoolQueue queue;
  private final Destination destination;
  private final FsyncPolicy fsync;
  private final ShippingListener listener;
  private final NanoClock clock;
  private final Runnable first;
  private final @Nullable StrayShipper strays;
  private final Interval retry = new Interval();

  /** The spool taken last, until it is finished or abandoned. */
  private @Nullable Records current;

  /** Why the last attempt failed; null if it did not. */
  @Nullable Exception failure;

  /** Since the last success, or the last record that arrived. */
  int failures;

  /** How far the spool was at the last failure. */
  private long failedAt;

  /** Whether the destination must take the current spool again before anything else. */
  private boolean isLost = true;

  private boolean stopping;
  private long lastCommitNs;

  /** Set by any thread that waits in flush. */
  private volatile boolean commitRequested;

  /** Set by the stopping thread when its time is over. */
  private volatile boolean timedOut;

  /** Owns the queue. */
  public Shipper(SpoolQueue queue, FsyncPolicy fsync, NanoClock clock) {
    this(queue, fsync, clock, () -> {}, null);
  }

  /**
   * With work before each turn, which may wait for a disk, and when there is nothing else to do.
   */
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
    this.lastCommitNs = clock.nanoTime();
  }

  @Override
  public int doWork() {
    int work = shipOwn();
    return strays == null ? work : Math.max(work, strays.doWork(work != MORE));
  }

  private int shipOwn() {
    first.run();
    long nowNs = clock.nanoTime();
    queue.takeIn();
    if (!retry.isDue(nowNs)) {
      return 0;
    }
    boolean isDone = false;
    try {
      int work = turn(nowNs);
      isDone = true;
      attemptSoon();
      failure = null;
      listener.worked();
      return work;
    } catch (IOException | RuntimeException e) { // policies of the user may throw anything
      failed(e);
      return 0;
    } finally {
      if (!isDone) { // an Error ends this thread; the next one must not continue mid-record
        isLost = true;
      }
    }
  }

  private void failed(Exception cause) {
    if (cause instanceof SpoolReadException) {
      listener.unreadable(cause);
    } else {
      listener.failed(cause);
    }
    failure = cause;
    long reached = current == null ? 0 : current.appended();
    if (reached != failedAt) { // a pipe that is full for a moment takes more soon
      failedAt = reached;
      failures = 0;
    }
    long delayNs = FIRST_RETRY_NS << Math.min(failures, MAX_DOUBLINGS);
    retry.done(clock.nanoTime(), Math.min(MAX_RETRY_NS, delayNs));
    failures++;
  }

  private void attemptSoon() {
    failures = 0;
    retry.now();
  }

  private int turn(long nowNs) throws IOException {
    if (!queue.isShipper(nowNs)) {
      isLost = true; // until we are the shipper, others may write there
      return 0;
    }
    queue.scan(nowNs);
    Records next = next();
    if (next == null || !queue.claim(next)) {
      return 0;
    }
    if (next.isExhausted()) { // it needs no commit, for which there may be no space
      finish(next);
      return MORE; // thousands may wait
    }
    if (next == current && isLost && next.isRemoved()) {
      listener.warn("The spool %s was removed".formatted(next.path()));
      abandon(next);
      return 1;
    }
    take(next, nowNs);
    int records = copy(next);
    commitIfDue(next, nowNs);
    if (next.isExhausted()) {
      finish(next);
      return MORE;
    }
    return records;
  }

  /** A spool is shipped from its first to its last record, but a live one waits for orphans. */
  private @Nullable Records next() {
    Records last = current;
    boolean continues = last != null && (isLost || !last.isLive());
    return continues ? last : queue.next();
  }

  private void take(Records next, long nowNs) throws IOException {
    Records last = current;
    if (next == last && !isLost) {
      return;
    }
    if (last != null && next != last) {
      destination.suspend(last);
    }
    if (last != null) { // otherwise nothing is here yet, and an older one may still be found
      current = next;
    }
    destination.take(next, isLost);
    current = next;
    isLost = false;
    lastCommitNs = nowNs;
  }

  private int copy(Records from) throws IOException {
    int records = 0;
    for (int i = 0; i < BATCHES_PER_TURN && !timedOut; i++) {
      int copied = destination.copy(from);
      if (copied == Destination.LOST) {
        isLost = true;
        return records;
      }
      records += copied;
      if (canCommit()
          && (fsync.intervalNs() == 0 || destination.uncommittedBytes(from) >= COMMIT_BYTES)) {
        commit(from);
      }
      if (copied == 0) {
        return records;
      }
    }
    return timedOut ? records : MORE;
  }

  private void commitIfDue(Records records, long nowNs) throws IOException {
    if (isLost) {
      return;
    }
    boolean ends = !records.isLive() && records.isDrained();
    if (canCommit() && (ends || commitRequested || fsync.isDue(nowNs - lastCommitNs))) {
      commit(records);
    }
    commitRequested = false;
  }

  private void commit(Records records) throws IOException {
    destination.commit(records);
    lastCommitNs = clock.nanoTime();
  }

  /** Whether something was copied that can be committed now. */
  private boolean canCommit() {
    Records last = current;
    return last != null && last.hasUncommitted() && !isLost;
  }

  private void finish(Records done) throws IOException {
    done.finish();
    forget(done);
  }

  /** Ends a spool that is gone or will be: what was copied counts if it can be made final. */
  private void abandon(Records last) {
    boolean isFinal;
    try {
      isFinal = destination.abandon(last);
    } catch (IOException e) {
      listener.failed(e);
      isLost = true;
      isFinal = !fsync.forces() || !last.hasUncommitted();
    }
    last.abandon(isFinal);
    forget(last);
  }

  private void forget(Records records) {
    queue.remove(records);
    if (current == records) {
      current = null;
    }
  }

  /** Until the next thing is due, while every record is in the log. */
  @Override
  public long sleepNs(long nowNs) {
    if (commitRequested || failures > 0 || current == null || isLost || !queue.isSettled()) {
      return 0;
    }
    long lookNs = strays == null ? IDLE_LOOK_NS : Math.min(IDLE_LOOK_NS, strays.dueInNs(nowNs));
    long commitNs = canCommit() ? fsync.dueInNs(nowNs - lastCommitNs) : lookNs;
    long rollNs = destination.dueInNs(queue.nowMs());
    return Math.min(lookNs, Math.min(commitNs, rollNs));
  }

  @Override
  public boolean finish() {
    if (!stopping) {
      stopping = true;
      attemptSoon(); // the time to stop in may be shorter than the delay
      queue.lookNow();
    }
    commitRequested = true;
    shipOwn();
    queue.takeIn();
    // An orphan found during the stop is shipped too, unless it causes a failure.
    boolean shipped = queue.isOwnShipped() && (isLost || !queue.hasOrphans());
    try {
      return timedOut || shipped || !queue.isShipper(clock.nanoTime());
    } catch (IOException e) {
      listener.failed(e);
      return true;
    }
  }

  @Override
  public void onClose() {
    try {
      queue.takeIn();
      Records last = current;
      if (last != null && (last.isRemoved() || last.isLostWithProcess() && !last.isExhausted())) {
        abandon(last);
      }
      if (current != null && !isLost) {
        destination.suspend(current);
      }
      if (!isLost) {
        destination.end();
      }
      for (Records done = next(); done != null && queue.claim(done); done = next()) {
        if (!done.isExhausted()) {
          break;
        }
        finish(done);
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

  /** Requests a commit soon, ahead of the interval. For any thread. */
  public void requestCommit() {
    commitRequested = true;
  }

  /** Called by the stopping thread when its time is over: unshipped records stay in the spool. */
  public void timeOut() {
    timedOut = true;
  }
}
