package dev.forebay.tiered;

import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.util.List;
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

  /** Fraction of a segment that counts as progress between two refusals of the file system. */
  private static final int PROGRESS_PART = 4;

  /** A spool that has filled this fraction of its cap is shipped without delay. */
  private static final int FILLING_PART = 4;

  private final SpoolOpener opener;
  private final SpoolQueue queue;
  private final ShippingMetrics account;
  private final Runnable wakeShipper;

  /** Run after records were published, or a spool was retired, for a shipper that sleeps. */
  private final Runnable passedOn;

  /** Read by JMX and by the stopping thread. */
  private volatile @Nullable Spool current;

  /** Refusals by the spool in use; null before the first. */
  private @Nullable RefusalStreak refusals;

  private long nextCheckNs;

  /** Records that the next spool refused during a move; read by flush. */
  private volatile long refused;

  SpoolPlace(
      SpoolOpener opener,
      SpoolQueue queue,
      ShippingMetrics account,
      Runnable wakeShipper,
      Runnable passedOn) {
    this.opener = opener;
    this.queue = queue;
    this.account = account;
    this.wakeShipper = wakeShipper;
    this.passedOn = passedOn;
  }

  /** Opens the first spool, and checks periodically whether it is still in the right place. */
  void look(long nowNs, boolean eventsWait) {
    Spool used = current;
    if (used == null) {
      Spool first = opener.open();
      if (first != null) {
        begin(first, null);
      }
      if (opener.hasTried()) {
        account.spoolTried(current != null);
      }
      return;
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

  /** The writer of the spool in use; null while there is none. */
  @Nullable SpoolWriter writer() {
    Spool used = current;
    return used == null ? null : used.writer();
  }

  /** Writes what was added to files; false if that fails, which the account then reports. */
  boolean flush() {
    Spool used = current;
    return used != null && flush(used);
  }

  private boolean flush(Spool used) {
    try {
      used.writer().flush();
      return true;
    } catch (IOException e) {
      account.spoolFailed(e);
      return false;
    } finally {
      passedOn.run(); // a flush that fails may have written some
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
    if (writer == null) {
      return false;
    }
    try {
      writer.flush();
      return true;
    } catch (IOException e) {
      return false; // so does the flusher's next attempt
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
   * perhaps because others have filled it.
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
    if (refusals == null) {
      refusals = new RefusalStreak(used.segmentBytes() / PROGRESS_PART);
    }
    if (!refusals.isTooLong(nowNs, writer.writtenBytes())) {
      return false;
    }
    boolean intact = used.isPathIntact();
    Spool next =
        intact
            ? opener.openHeap(used.directory().log(), "accepts no more data", cause)
            : opener.open();
    if (next == null) {
      return false;
    }
    moveOn(used, next);
    return true;
  }

  /** Moves records that cannot be written to the heap: there is no time to wait for space. */
  void rescue() {
    Spool used = current;
    boolean isLate = queue.isClosed(); // then nothing is shipped any more
    if (used == null || used.isInHeap() || isLate || flush(used)) {
      return;
    }
    IOException cause = used.writer().refusal();
    Spool heap =
        opener.openHeap(
            used.directory().log(),
            "accepts no more data",
            cause == null ? new IOException("unknown") : cause);
    if (heap != null) {
      moveOn(used, heap);
    }
  }

  /** Retires the spool in use: nothing more will be added. */
  void leave() {
    Spool used = current;
    if (used != null) {
      flush(used);
      queue.retire(used.directory(), used);
    }
  }

  /** Begins with a spool, which gets the records of the one it replaces that are not in files. */
  private void begin(Spool next, @Nullable Spool left) {
    List<SpoolDirectory> others = opener.others(next); // first: there may be no memory
    if (left != null) {
      queue.retireToNext(left.directory(), left);
    }
    current = next;
    refusals = null;
    for (SpoolDirectory other : others) {
      queue.addDirectory(other);
    }
    queue.add(next.directory(), next);
    if (left != null) {
      left.writer().handOver(next.writer(), this::countRefused);
      flush(next); // what was handed over would be in a file by now
    }
    wakeShipper.run();
  }

  /** Leaves a spool for another one, if there is one. */
  private void moveOn(Spool left, @Nullable Spool next) {
    flush(left);
    if (next == null) {
      queue.retire(left.directory(), left);
      passedOn.run();
      current = null;
    } else {
      begin(next, left);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void countRefused(int level) {
    account.neverSpooled(level);
    refused++;
  }

  /** Records lost during moves, and counted as such. For any thread. */
  long refused() {
    return refused;
  }

  /** Whether the spool in use is lost with the process. For any thread. */
  boolean isInHeap() {
    Spool used = current;
    return used != null && used.isInHeap();
  }

  /** The directory of the spool in use; null while there is none, or if that is in the heap. */
  @Nullable SpoolDirectory directoryOnDisk() {
    Spool used = current;
    return used == null || used.isInHeap() ? null : used.directory();
  }

  /** The spool in use; null while there is none. For any thread. */
  @Override
  public @Nullable Spool get() {
    return current;
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
