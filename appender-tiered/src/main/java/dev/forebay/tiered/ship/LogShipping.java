package dev.forebay.tiered.ship;

import dev.forebay.agent.Agent;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.identity.ShipperNote;
import dev.forebay.tiered.spool.OtherForm;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * Ships all spools of one log for other processes, of living and of dead ones, with a queue and a
 * shipper of its own. Ends when there is none.
 */
public final class LogShipping implements Agent {

  private final SpoolDirectory directory;
  final SpoolQueue queue;
  private final Shipper shipper;
  private final LiveSpools live;
  private final Account account;
  private final NanoClock clock;
  private final LongSupplier wallClockMs;

  /** Set by any thread. */
  private volatile boolean isLookWanted;

  /** At the last turn, hoped for before. Written by the agent's thread, like the next. */
  private volatile boolean isShipping = true;

  private volatile boolean isOver;

  private volatile long caughtUpNs;

  // Agent's thread only.
  private String shown = "";
  private long sinceMs;

  /** To a destination of that log alone; the listener receives warnings and what fails. */
  public LogShipping(
      SpoolDirectory directory,
      Destination to,
      FsyncPolicy fsync,
      OtherForm lines,
      ShippingListener listener,
      NanoClock clock,
      LongSupplier wallClockMs) {
    this.directory = directory;
    this.clock = clock;
    this.wallClockMs = wallClockMs;
    this.account = new Account(listener);
    this.queue = new SpoolQueue(to, lines::rescue, account, wallClockMs);
    this.shipper = new Shipper(queue, fsync, clock);
    this.live = new LiveSpools(lines);
    queue.live = live;
    queue.addDirectory(directory);
    this.caughtUpNs = clock.nanoTime();
  }

  /** Has the next turn look for new spools, and for owners that are gone. Any thread. */
  public void lookNow() {
    isLookWanted = true;
  }

  /** Whether we ship, or did until the end, also while the log is being opened. Any thread. */
  public boolean isShipping() {
    return isShipping || queue.locks.role == Role.HOST;
  }

  /** Whether there is no spool any more, and so nothing to do. Any thread. */
  public boolean isOver() {
    return isOver;
  }

  /** Since when something waits, at most, nanoseconds; 0 if nothing does. Any thread. */
  public long longestWaitNs() {
    return Math.max(0, clock.nanoTime() - caughtUpNs);
  }

  public long shipped() {
    return account.shipped;
  }

  public long lost() {
    return account.lost;
  }

  public long refused() {
    return account.refused;
  }

  /** Why the log cannot be written now; "" if it can. Any thread. */
  public String fault() {
    return account.fault;
  }

  @Override
  public int doWork() {
    if (isLookWanted) {
      isLookWanted = false;
      queue.scan.now();
      live.lookNow();
    }
    if (live.isCommitAwaited()) {
      shipper.requestCommit();
    }
    try {
      shipper.takeIn();
      boolean unused = queue.locks.isShipper(clock.nanoTime());
    } catch (IOException e) {
      // The shipper's turn meets it too, and says it.
    }
    noteRole(); // before the log's disk is waited for
    int work = shipper.doWork();
    reloadIfFailed();
    noteRole();
    if (queue.isEmpty() || isCaughtUp()) {
      caughtUpNs = clock.nanoTime();
    }
    isOver = queue.isEmpty() && !isLookWanted;
    return work;
  }

  /** A save that failed may count all the same: owners go by what is in the file. */
  private void reloadIfFailed() {
    if (!account.hasFailed) {
      return;
    }
    try {
      for (ShipLease lease : queue.leases) {
        if (lease.isHeld()) {
          lease.progress.catchUp();
        }
      }
      account.hasFailed = false;
    } catch (IOException e) {
      return; // the next turn tries again
    }
  }

  private boolean isCaughtUp() {
    Records last = shipper.current;
    return queue.isSettled() && (last == null || !last.hasUncommitted());
  }

  /** Says in the directory who ships, and what fails. */
  private void noteRole() {
    isShipping = queue.locks.role == Role.HOST;
    String now = account.fault;
    boolean isNoted = sinceMs != 0;
    if (isShipping == isNoted && now.equals(shown)) {
      return;
    }
    try {
      if (!isShipping) { // another one's, or none
        sinceMs = 0;
      } else if (!directory.disk().isGone(directory.path())) {
        sinceMs = isNoted ? sinceMs : wallClockMs.getAsLong();
        long pid = ProcessHandle.current().pid();
        new ShipperNote(pid, sinceMs, now).write(directory.disk(), directory.path());
      }
      shown = now;
    } catch (IOException e) {
      account.listener.warn("Cannot say in %s who ships: %s".formatted(directory.path(), e));
      shown = now; // until the next change
    }
  }

  @Override
  public long sleepNs(long nowNs) {
    return isLookWanted || live.isCommitAwaited() ? 0 : shipper.sleepNs(nowNs);
  }

  /** Until nothing of dead processes is left, or {@link #timeOut}. */
  @Override
  public boolean finish() {
    boolean isOver = shipper.finish();
    reloadIfFailed();
    return isOver;
  }

  /** Ends {@link #finish}: what is not shipped stays. Any thread. */
  public void timeOut() {
    shipper.timeOut();
  }

  @Override
  public void onClose() {
    try {
      if (isShipping && !directory.disk().isGone(directory.path())) {
        ShipperNote.remove(directory.disk(), directory.path());
      }
    } catch (IOException e) {
      account.listener.warn("Cannot remove from %s who ships: %s".formatted(directory.path(), e));
    } finally {
      shipper.onClose();
    }
  }

  /** Counts, and passes on what is said. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // each field has one writer, the agent's thread
  private static final class Account implements ShippingListener {
    final ShippingListener listener;
    volatile long shipped;
    volatile long lost;
    volatile long refused;
    volatile String fault = "";
    boolean hasFailed;

    Account(ShippingListener listener) {
      this.listener = listener;
    }

    @Override
    public void settled(long committed, long gone, long reached) {
      shipped += committed;
      lost += gone;
    }

    @Override
    public void recovered(long records) {
      shipped += records;
    }

    @Override
    public void refused(long records) {
      refused += records;
    }

    @Override
    public void failed(Exception cause) {
      if (fault.isEmpty()) {
        listener.failed(cause);
      }
      fault = String.valueOf(cause);
      hasFailed = true;
    }

    @Override
    public void unreadable(Exception cause) {
      failed(cause);
    }

    @Override
    public void worked() {
      if (!fault.isEmpty()) {
        fault = "";
        listener.worked();
      }
    }

    @Override
    public void warn(String text) {
      listener.warn(text);
    }

    @Override
    public void info(String text) {
      listener.info(text);
    }
  }
}
