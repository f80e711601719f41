package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.spool.InstanceId;
import dev.forebay.tiered.spool.SpoolCap;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory that the spools of several appenders share, first come, first served: a spool may create
 * another segment while these spools and those of others leave space for it. It may always have two
 * segments.
 *
 * <p>Thread-safe. No method waits for a lock.
 */
final class SpoolBudget {

  /** Maximum age of the reading for a decision about a segment. */
  static final long LOOK_NS = 1_000_000_000;

  /** Its maximum age otherwise, for display and for deciding when a spool counts as filling. */
  private static final long REFRESH_NS = 10_000_000_000L;

  /** One to write to and one to ship: with fewer, a log could stall. */
  private static final int LEAST_SEGMENTS = 2;

  /** While more than this fraction is taken, spares are given up to spools that need a segment. */
  private static final int SPARES_PART = 2;

  /** Measures how much there is to share. */
  interface Gauge {
    /**
     * Measures now.
     *
     * @param own spools already accounted for
     */
    Reading read(Set<InstanceId> own) throws IOException;
  }

  /**
   * A measurement of a {@link Gauge}.
   *
   * @param othersBytes taken by spools outside this budget: of dead processes, other processes,
   *     other class loaders
   * @param loopBytes taken by flight recorders outside this budget
   * @param limitBytes limit on all of them together
   */
  record Reading(long othersBytes, long loopBytes, long limitBytes) {

    /** Without flight recorders. */
    Reading(long othersBytes, long limitBytes) {
      this(othersBytes, 0, limitBytes);
    }
  }

  private final Gauge gauge;
  private final NanoClock clock;

  /** Open spools of this budget, with a share or with their own cap. */
  private final Set<InstanceId> own = ConcurrentHashMap.newKeySet();

  /** Bytes of all shares, and of closed spools not yet included in a reading. */
  private final AtomicLong takenBytes = new AtomicLong();

  /** Bytes of closed spools: the next reading counts what is left of them as others'. */
  private final AtomicLong departedBytes = new AtomicLong();

  /** Bytes of this budget's loops: no spool sees them, and they leave what spools want. */
  private final AtomicLong loopBytes = new AtomicLong();

  /** Held by the measuring thread; no thread waits for it. */
  private final ReentrantLock looking = new ReentrantLock();

  /** Written with the lock held; a slightly older value does not matter to readers. */
  private volatile Reading reading = new Reading(0, 0);

  // Written with the lock held, read without: a thread that reads an old value measures again.
  private volatile boolean hasRead;
  private volatile long readNs;

  SpoolBudget(Gauge gauge, NanoClock clock) {
    this.gauge = gauge;
    this.clock = clock;
  }

  /** The cap of a spool without a configured size. */
  SpoolCap share() {
    return share(Long.MAX_VALUE);
  }

  /** A share that never exceeds {@code mostBytes}. */
  SpoolCap share(long mostBytes) {
    return new Share(mostBytes);
  }

  /** The cap of a spool with a configured size: its own, in addition to what the others share. */
  SpoolCap apart(long bytes) {
    return new Apart(SpoolCap.fixed(bytes));
  }

  /** The cap of a flight recorder's loop: at most these bytes, and only what spools leave. */
  SpoolCap loop(long bytes) {
    return new LoopShare(bytes);
  }

  /** Limit on all shares together, as last measured. */
  long limitBytes() {
    return reading.limitBytes();
  }

  /** Bytes of others, as last measured. */
  long othersBytes() {
    return reading.othersBytes();
  }

  private void look(long oldestNs) {
    if (isFresh(oldestNs) || !looking.tryLock()) {
      return;
    }
    try {
      long departed = departedBytes.get();
      reading = gauge.read(own);
      departedBytes.addAndGet(-departed);
      takenBytes.addAndGet(-departed);
    } catch (IOException e) {
      // The last reading stays valid until the next attempt.
    } finally {
      readNs = clock.nanoTime();
      hasRead = true;
      looking.unlock();
    }
  }

  private boolean isFresh(long oldestNs) {
    return hasRead && departedBytes.get() == 0 && clock.nanoTime() - readNs < oldestNs;
  }

  /** Bytes left for all shares together; negative if minimum sizes exceed the limit. */
  private long leftBytes() {
    Reading seen = reading;
    return seen.limitBytes() - seen.othersBytes() - takenBytes.get();
  }

  private final class Share implements SpoolCap {
    private final long mostBytes;

    Share(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    @Override
    public void opened(InstanceId spool) {
      own.add(spool);
      look(LOOK_NS);
    }

    @Override
    public boolean hasRoom(long usedBytes, int segmentBytes) {
      if (usedBytes + segmentBytes > mostBytes) {
        return false;
      }
      if (isLeast(usedBytes, segmentBytes)) {
        return true;
      }
      look(LOOK_NS);
      return leftBytes() >= segmentBytes;
    }

    @Override
    public boolean take(long usedBytes, int segmentBytes) {
      if (!hasRoom(usedBytes, segmentBytes)) {
        return false;
      }
      Reading seen = reading;
      long most =
          isLeast(usedBytes, segmentBytes)
              ? Long.MAX_VALUE
              : seen.limitBytes() - seen.othersBytes() - segmentBytes;
      long before = takenBytes.get();
      while (before <= most) {
        long found = takenBytes.compareAndExchange(before, before + segmentBytes);
        if (found == before) {
          return true;
        }
        before = found;
      }
      return false;
    }

    @Override
    public void giveBack(int segmentBytes) {
      takenBytes.addAndGet(-segmentBytes);
    }

    @Override
    public boolean keepsSpares(long usedBytes, int segmentBytes) {
      Reading seen = reading;
      return usedBytes <= (long) LEAST_SEGMENTS * segmentBytes
          || takenBytes.get() + seen.othersBytes() <= seen.limitBytes() / SPARES_PART;
    }

    @Override
    public long bytes(long usedBytes, int segmentBytes) {
      long more = Math.max(0, leftBytes()) / segmentBytes * segmentBytes;
      long least = (long) LEAST_SEGMENTS * segmentBytes;
      return Math.min(mostBytes, Math.max(least, usedBytes + more));
    }

    @Override
    public void refresh() {
      look(REFRESH_NS);
    }

    @Override
    public void closed(InstanceId spool, long usedBytes) {
      own.remove(spool);
      departedBytes.addAndGet(usedBytes);
    }

    private static boolean isLeast(long usedBytes, int segmentBytes) {
      return usedBytes + segmentBytes <= (long) LEAST_SEGMENTS * segmentBytes;
    }
  }

  /** Two segments, and more while spools leave space for them. */
  private final class LoopShare implements SpoolCap {
    private final long mostBytes;

    LoopShare(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    @Override
    public void opened(InstanceId loop) {
      own.add(loop);
      look(LOOK_NS);
    }

    @Override
    public boolean hasRoom(long usedBytes, int segmentBytes) {
      return usedBytes + segmentBytes <= bytes(usedBytes, segmentBytes);
    }

    @Override
    public boolean take(long usedBytes, int segmentBytes) {
      boolean hasRoom = hasRoom(usedBytes, segmentBytes);
      loopBytes.addAndGet(hasRoom ? segmentBytes : 0);
      return hasRoom;
    }

    @Override
    public void giveBack(int segmentBytes) {
      loopBytes.addAndGet(-segmentBytes);
    }

    @Override
    public boolean keepsSpares(long usedBytes, int segmentBytes) {
      return usedBytes <= bytes(usedBytes, segmentBytes);
    }

    /** Less than the loop has if spools have taken more since. */
    @Override
    public long bytes(long usedBytes, int segmentBytes) {
      long left = leftBytes() - reading.loopBytes() - loopBytes.get();
      long most = usedBytes + Math.floorDiv(left, segmentBytes) * segmentBytes;
      return Math.min(mostBytes, Math.max((long) LEAST_SEGMENTS * segmentBytes, most));
    }

    @Override
    public void refresh() {
      look(REFRESH_NS);
    }

    @Override
    public void closed(InstanceId loop, long usedBytes) {
      own.remove(loop);
      loopBytes.addAndGet(-usedBytes);
    }
  }

  /** A cap outside the shares. The spool is registered so that it does not count as others'. */
  private final class Apart implements SpoolCap {
    private final SpoolCap cap;

    Apart(SpoolCap cap) {
      this.cap = cap;
    }

    @Override
    public void opened(InstanceId spool) {
      own.add(spool);
    }

    @Override
    public boolean hasRoom(long usedBytes, int segmentBytes) {
      return cap.hasRoom(usedBytes, segmentBytes);
    }

    @Override
    public boolean take(long usedBytes, int segmentBytes) {
      return cap.take(usedBytes, segmentBytes);
    }

    @Override
    public void giveBack(int segmentBytes) {
      cap.giveBack(segmentBytes);
    }

    @Override
    public boolean keepsSpares(long usedBytes, int segmentBytes) {
      return cap.keepsSpares(usedBytes, segmentBytes);
    }

    @Override
    public long bytes(long usedBytes, int segmentBytes) {
      return cap.bytes(usedBytes, segmentBytes);
    }

    @Override
    public void refresh() {}

    @Override
    public void closed(InstanceId spool, long usedBytes) {
      own.remove(spool);
      takenBytes.addAndGet(usedBytes); // until the next reading includes what is left of it
      departedBytes.addAndGet(usedBytes);
    }
  }
}
