package dev.forebay.tiered;

import dev.forebay.tiered.ship.SpoolQueue;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Which spool is in use, and when it moves: from the wanted directory to the heap when the file
 * system takes no more, back when it does again, and to a new one where it was removed. Records
 * that are not in files move along. Tells the shipper of each spool that begins or ends.
 *
 * <p>For the flusher's thread, unless a comment says otherwise.
 */
final class SpoolPlace {

  private static final long CHECK_NS = 1_000_000_000;

  /** Part of a segment that is progress enough between two refusals of the file system. */
  private static final int PROGRESS_PART = 4;

  /** A spool that has filled this part of its cap is to be shipped without delay. */
  private static final int FILLING_PART = 4;

  private final SpoolOpener opener;
  private final SpoolQueue queue;
  private final ShippingMetrics account;
  private final Runnable wakeShipper;

  /** Read by JMX and by the thread that stops. */
  private volatile @Nullable OpenSpool current;

  /** Of the spool in use. */
  private RefusalStreak refusals = new RefusalStreak(0);

  private long nextCheckNs;

  /** Records that were to move along and that the next spool refused; read by flush. */
  private volatile long refused;

  SpoolPlace(SpoolOpener opener, SpoolQueue queue, ShippingMetrics account, Runnable wakeShipper) {
    this.opener = opener;
    this.queue = queue;
    this.account = account;
    this.wakeShipper = wakeShipper;
  }

  /** Opens the first spool, and looks from time to time whether it is still in the right place. */
  void look(long nowNs, boolean eventsWait) {
    OpenSpool used = current;
    if (used == null) {
      begin(opener.open());
      if (opener.hasTried()) {
        account.spoolTried(current != null);
      }
      return;
    }
    // A broken path is harmless while there is nothing to write, and looking costs 1 ms.
    if (nowNs - nextCheckNs < 0 || (!used.inHeap() && !eventsWait)) {
      return;
    }
    nextCheckNs = nowNs + CHECK_NS;
    used.spool().refreshLimit();
    if (used.inHeap()) {
      OpenSpool wanted = opener.openAgain(used);
      if (wanted != null) {
        moveOn(used, wanted);
      }
    } else if (!opener.isInPlace(used)) {
      moveOn(used, opener.open());
    }
  }

  /** Where records go now; null while there is no spool. */
  @Nullable SpoolWriter writer() {
    OpenSpool used = current;
    return used == null ? null : used.spool().writer();
  }

  /** Writes what was added to files; false where that fails, which the account is told. */
  boolean flush() {
    OpenSpool used = current;
    return used != null && flush(used);
  }

  private boolean flush(OpenSpool used) {
    try {
      used.spool().writer().flush();
      return true;
    } catch (IOException e) {
      account.spoolFailed(e);
      return false;
    }
  }

  /** Whether so much waits to be shipped that the shipper should not park any longer. */
  boolean isFilling() {
    OpenSpool used = current;
    return used != null && used.spool().backlogBytes() > used.spool().limitBytes() / FILLING_PART;
  }

  /**
   * Leaves the spool in use if its file system has been refusing for too long what the cap allows:
   * others may have filled it.
   *
   * @return whether there is another now
   */
  boolean leaveRefusing(long nowNs) {
    OpenSpool used = current;
    if (used == null || used.inHeap()) {
      return false;
    }
    SpoolWriter writer = used.spool().writer();
    IOException cause = writer.refusal();
    if (cause == null || !refusals.isTooLong(nowNs, writer.writtenBytes())) {
      return false;
    }
    boolean intact = used.spool().isPathIntact();
    OpenSpool next = intact ? opener.openHeap(used.log(), "takes no more", cause) : opener.open();
    if (next == null) {
      return false;
    }
    moveOn(used, next);
    return true;
  }

  /** Says once why the spool, which takes nothing more, is not larger. */
  void explainFull() {
    OpenSpool used = current;
    if (used != null) {
      opener.explainFull(used);
    }
  }

  /** Moves to the heap what cannot be written: there is no time left to wait for room. */
  void rescue() {
    OpenSpool used = current;
    boolean isLate = queue.isClosed(); // and nobody ships any more
    if (used == null || used.inHeap() || isLate || flush(used)) {
      return;
    }
    IOException cause = used.spool().writer().refusal();
    OpenSpool heap =
        opener.openHeap(
            used.log(), "takes no more", cause == null ? new IOException("unknown") : cause);
    if (heap != null) {
      moveOn(used, heap);
    }
  }

  /** Nothing more will be added. */
  void leave() {
    OpenSpool used = current;
    if (used != null) {
      flush(used);
      queue.retire(used.directory(), used.spool());
    }
  }

  private void begin(@Nullable OpenSpool next) {
    current = next;
    if (next != null) {
      refusals = new RefusalStreak(next.spool().segmentBytes() / PROGRESS_PART);
      opener.others(next).forEach(queue::addDirectory);
      queue.add(next.directory(), next.spool());
      wakeShipper.run();
    }
  }

  /** Leaves a spool for another, which gets the records that are not in files yet. */
  private void moveOn(OpenSpool left, @Nullable OpenSpool next) {
    flush(left);
    if (next == null) {
      queue.retire(left.directory(), left.spool());
      current = null;
    } else {
      queue.retireToNext(left.directory(), left.spool());
      begin(next);
      SpoolWriter heir = next.spool().writer();
      left.spool().writer().handOver((payload, level) -> inherit(heir, payload, level));
      flush(next); // into a file, as what it was handed would be by now
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void inherit(SpoolWriter heir, byte[] payload, int level) {
    if (heir.append(payload, 0, payload.length, level) != SpoolWriter.Outcome.ADDED) {
      account.neverSpooled(level);
      refused++;
    }
  }

  /** Records that were lost on the move, and are counted. Any thread. */
  long refused() {
    return refused;
  }

  /** Whether the spool in use is lost with the process. Any thread. */
  boolean isInHeap() {
    OpenSpool used = current;
    return used != null && used.inHeap();
  }

  /** The directory of the spool in use, "heap", or "" while there is none. Any thread. */
  String path() {
    OpenSpool used = current;
    if (used == null) {
      return "";
    }
    return used.inHeap() ? "heap" : used.spool().path().toString();
  }

  /** The spool in use; null while there is none. Any thread. */
  @Nullable Spool spool() {
    OpenSpool used = current;
    return used == null ? null : used.spool();
  }

  /** Why the spool is not where it should be; "" when it is. Any thread. */
  String degraded() {
    OpenSpool used = current;
    if (used == null) {
      return "there is no spool: events wait in the ring";
    }
    return used.inHeap()
        ? "the spool is in the heap and not in <spoolDirectory>: lost if the process is killed"
        : "";
  }
}
