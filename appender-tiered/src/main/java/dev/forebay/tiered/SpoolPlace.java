package dev.forebay.tiered;

import dev.forebay.agent.AgentThread;
import dev.forebay.tiered.overflow.Overflow;
import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Manages the spool in use, and moves it: from the wanted directory to the heap if the file system
 * accepts no more data, back once it does again, and to a new directory if it was removed. Records
 * that are not in files move along. Registers each new and retired spool with the shipper.
 *
 * <p>For the flusher's thread, or a log call in its turn, unless a comment says otherwise.
 */
final class SpoolPlace implements Supplier<@Nullable OwnSpool> {

  private static final long CHECK_NS = 1_000_000_000;

  /** Short enough for a ring of 8,192 events at 200,000 events per second. */
  static final long PATIENCE_NS = 30_000_000;

  /** Refusals farther apart have nothing to do with each other. */
  static final long FORGET_NS = 1_000_000_000;

  /** Fraction of a segment that counts as progress between two refusals of the file system. */
  private static final int PROGRESS_PART = 4;

  /** A spool that has filled this fraction of its cap is shipped without delay. */
  private static final int FILLING_PART = 4;

  private final SpoolOpener opener;
  private final SpoolQueue queue;
  private final ShippingMetrics account;
  private final AgentThread shipperThread;

  /** Null without an overflow directory. */
  private final @Nullable Overflow overflow;

  /** The spool in use, as the queue knows it. */
  private @Nullable OwnSpool queued;

  /** Read by JMX and by the stopping thread. */
  private volatile @Nullable Spool current;

  /** Whether the spool in use has refused, since when, and how much it had written then. */
  private boolean isRefusing;

  private long refusingSinceNs;
  private long refusingSinceBytes;

  /** When the spool in use last refused. */
  private long refusedNs;

  private long nextCheckNs;

  SpoolPlace(
      SpoolOpener opener,
      SpoolQueue queue,
      ShippingMetrics account,
      AgentThread shipperThread,
      @Nullable Overflow overflow) {
    this.opener = opener;
    this.queue = queue;
    this.account = account;
    this.shipperThread = shipperThread;
    this.overflow = overflow;
  }

  /** Opens the first spool, and checks periodically whether it is still in the right place. */
  void look(long nowNs, boolean eventsWait) {
    Spool used = current;
    if (used == null) {
      Spool first = opener.open();
      if (first != null) {
        moveOn(null, first);
      }
      return;
    }
    if (overflow != null && overflow.isDue(used)) {
      Spool next = opener.openNext(used);
      if (next != null) {
        moveOn(used, next);
        return;
      }
    }
    // A broken path is harmless while there is nothing to write, and checking costs 1 ms.
    if (nowNs - nextCheckNs < 0) {
      return;
    }
    if (!used.isInHeap() && !eventsWait) {
      used.writer().rest();
      return;
    }
    nextCheckNs = nowNs + CHECK_NS;
    used.refreshLimit();
    if (used.isInHeap()) {
      Spool wanted = opener.openAgain(used);
      if (wanted != null) {
        moveOn(used, wanted);
      }
    } else if (!opener.isInPlace(used)) {
      moveOn(used, opener.open());
    }
  }

  /** Whether there is no spool yet, and no reason why not. */
  boolean isOpening() {
    return current == null && !opener.hasFailed;
  }

  /** The writer of the spool in use; null while there is none. */
  @Nullable SpoolWriter writer() {
    Spool used = current;
    return used == null ? null : used.writer();
  }

  /** Writes what was added to files; false if that fails, which the account then reports. */
  boolean flush() {
    Spool used = current;
    return used != null && flush(used) == null;
  }

  /** Returns why it fails; null if it does not. */
  private @Nullable IOException flush(Spool used) {
    try {
      used.writer().flush();
      return null;
    } catch (IOException e) {
      account.spool.failed(e);
      return e;
    } finally {
      shipperThread.wakeIfAsleep(); // a flush that fails may have written some
    }
  }

  /**
   * The writer, if log calls may use it: a disk makes them wait.
   *
   * @param evenOnDisk whether they may wait for it
   */
  @Nullable SpoolWriter writerForCalls(boolean evenOnDisk) {
    Spool used = current;
    return used == null || (used.isOnDisk() && !evenOnDisk) ? null : used.writer();
  }

  /** As {@link #flush}, in the turn of a log call: the flusher's next turn reports and wakes. */
  boolean write() {
    SpoolWriter writer = writer();
    try {
      if (writer != null) {
        writer.flush();
      }
      return writer != null;
    } catch (IOException e) {
      return false; // the flusher's next attempt fails too
    }
  }

  /** Whether no spool is to be opened, moved or flushed until an event comes. */
  boolean isSettled() {
    Spool used = current;
    return used != null && !used.isInHeap() && used.writer().isSettled();
  }

  /** Whether so many records wait that the shipper should not park any longer. */
  boolean isFilling() {
    Spool used = current;
    return used != null && used.backlogBytes() > used.limitBytes() / FILLING_PART;
  }

  /**
   * Leaves the spool in use if its file system has refused for too long what the cap allows,
   * perhaps because other processes have filled it.
   *
   * @return whether there is another spool now
   */
  boolean leaveRefusing(long nowNs) {
    Spool used = current;
    if (used == null || used.isInHeap()) {
      return false;
    }
    SpoolWriter writer = used.writer();
    IOException cause = writer.refusal();
    if (cause == null) {
      return false;
    }
    // Shipped segments are reused in their existing pages: while that works, the spool stays.
    long written = writer.writtenBytes() - refusingSinceBytes;
    boolean isNew =
        !isRefusing
            || nowNs - refusedNs > FORGET_NS
            || written >= used.segmentBytes() / PROGRESS_PART;
    refusedNs = nowNs;
    if (isNew) {
      isRefusing = true;
      refusingSinceNs = nowNs;
      refusingSinceBytes = writer.writtenBytes();
    }
    if (isNew || nowNs - refusingSinceNs < PATIENCE_NS) {
      return false;
    }
    Spool next = used.isPathIntact() ? toHeap(used, cause) : opener.open();
    if (next == null) {
      return false;
    }
    moveOn(used, next);
    return true;
  }

  /** Moves records that cannot be written to the heap: there is no time to wait for space. */
  void rescue() {
    Spool used = current;
    if (used == null || used.isInHeap() || queue.isClosed()) {
      return; // if it is closed, nothing is shipped any more
    }
    IOException cause = flush(used);
    Spool heap = cause == null ? null : toHeap(used, cause);
    if (heap != null) {
      moveOn(used, heap);
    }
  }

  private @Nullable Spool toHeap(Spool used, IOException cause) {
    return opener.openHeap(used.directory().log(), "accepts no more data", cause);
  }

  /** Retires the spool in use: nothing more will be added. */
  void leave() {
    Spool used = current;
    OwnSpool known = queued;
    if (used != null && known != null) {
      flush(used);
      queue.retire(used.directory(), known);
    }
  }

  /** Ends the overflow. For the thread that stops the appender, as its last step. */
  void stop() {
    if (overflow != null) {
      overflow.stop();
    }
  }

  /**
   * Leaves a spool, if there is one, for another one, if there is one, which gets the records that
   * are not in files.
   */
  private void moveOn(@Nullable Spool left, @Nullable Spool next) {
    OwnSpool known = queued;
    if (left != null && known != null) {
      flush(left);
      if (overflow != null) {
        left.endWriting(); // afterwards it may be gone
      }
      if (next == null) {
        queue.retire(left.directory(), known);
      } else {
        queue.retireToNext(left.directory(), known);
      }
    }
    current = next;
    isRefusing = false;
    if (next != null) {
      OwnSpool added = overflow == null ? next : overflow.movable(next);
      queued = added;
      queue.add(next.directory(), added);
    }
    if (left != null && next != null) {
      left.writer().handOver(next.writer(), account::neverSpooled);
      flush(next); // what was handed over would be in a file by now
    }
    if (left != null && overflow != null) {
      overflow.add(known);
    }
    shipperThread.wake();
  }

  /** Whether the spool in use is lost with the process. For any thread. */
  boolean isInHeap() {
    Spool used = current;
    return used != null && used.isInHeap();
  }

  /** The spool in use; null while there is none. For any thread. */
  @Override
  public @Nullable Spool get() {
    return current;
  }

  /** For any thread. */
  void showOverflow(Map<String, Long> shown) {
    if (overflow != null) {
      shown.put("overflowBytes", overflow.bytes());
    }
  }

  /** Why the spool is not where it should be; "" if it is. For any thread. */
  String degraded() {
    Spool used = current;
    if (used == null) {
      return "there is no spool: events wait in the ring";
    }
    return used.isInHeap()
        ? "the spool is in the heap and not in <spoolDirectory>: lost if the process is killed"
        : "";
  }
}
