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
 * segments: these are reserved from the start, and smaller the less is left to reserve.
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

  /** The smallest segment for which a configured size is reduced. */
  private static final int LEAST_SEGMENT_BYTES = 64 << 10;

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

  /** Bytes that open shares have always, whether taken or not. */
  private final AtomicLong reservedBytes = new AtomicLong();

  /** Bytes taken or reserved by shares, and of closed spools not yet included in a reading. */
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

  /**
   * The size of the segments of a new share: at most {@code wanted}, and so that the least it has
   * is half of what no other has reserved. So many of them stay within the limit.
   */
  int segmentBytes(int wanted) {
    look(LOOK_NS);
    long free = (reading.limitBytes() - reservedBytes.get()) / (2 * LEAST_SEGMENTS);
    return (int) Math.min(wanted, Math.max(LEAST_SEGMENT_BYTES, free));
  }

  /** The cap of a spool without a configured size, and with segments of this one. */
  SpoolCap share(int segmentBytes) {
    return share(Long.MAX_VALUE, segmentBytes);
  }

  /** A share that never exceeds {@code mostBytes}. */
  SpoolCap share(long mostBytes, int segmentBytes) {
    return new Share(mostBytes, (long) LEAST_SEGMENTS * segmentBytes);
  }

  /** The cap of a spool with a configured size: its own, in addition to what the others share. */
  SpoolCap apart(long bytes) {
    return new Apart(bytes);
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
    private final long leastBytes;

    /** Its segments. The flusher adds, the shipper subtracts. */
    private final AtomicLong heldBytes = new AtomicLong();

    Share(long mostBytes, long leastBytes) {
      this.mostBytes = mostBytes;
      this.leastBytes = leastBytes;
    }

    @Override
    public void opened(InstanceId spool) {
      own.add(spool);
      reservedBytes.addAndGet(leastBytes);
      takenBytes.addAndGet(leastBytes);
      look(LOOK_NS);
    }

    /** What this share counts in all, with so many bytes of segments. */
    private long counted(long held) {
      return Math.max(held, leastBytes);
    }

    private void hold(long more, long takenFor) {
      long before = heldBytes.getAndAdd(more);
      takenBytes.addAndGet(counted(before + more) - counted(before) - takenFor);
    }

    @Override
    public boolean hasRoom(long usedBytes, int segmentBytes) {
      if (usedBytes + segmentBytes > mostBytes) {
        return false;
      }
      if (usedBytes + segmentBytes <= leastBytes) {
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
      long held = heldBytes.get(); // the shipper may give back meanwhile
      long more = counted(held + segmentBytes) - counted(held);
      if (more > 0 && !takeLeft(more)) {
        return false;
      }
      hold(segmentBytes, more);
      return true;
    }

    private boolean takeLeft(long bytes) {
      Reading seen = reading;
      long most = seen.limitBytes() - seen.othersBytes() - bytes;
      long before = takenBytes.get();
      while (before <= most) {
        long found = takenBytes.compareAndExchange(before, before + bytes);
        if (found == before) {
          return true;
        }
        before = found;
      }
      return false;
    }

    @Override
    public void giveBack(int segmentBytes) {
      hold(-segmentBytes, 0);
    }

    @Override
    public boolean keepsSpares(long usedBytes, int segmentBytes) {
      Reading seen = reading;
      return usedBytes <= leastBytes
          || takenBytes.get() + seen.othersBytes() <= seen.limitBytes() / SPARES_PART;
    }

    @Override
    public long bytes(long usedBytes, int segmentBytes) {
      long more = Math.max(0, leftBytes()) / segmentBytes * segmentBytes;
      return Math.min(mostBytes, counted(usedBytes) + more);
    }

    @Override
    public void refresh() {
      look(REFRESH_NS);
    }

    @Override
    public void closed(InstanceId spool, long usedBytes) {
      own.remove(spool);
      reservedBytes.addAndGet(-leastBytes);
      takenBytes.addAndGet(usedBytes - counted(heldBytes.get()));
      departedBytes.addAndGet(usedBytes);
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
    private final long bytes;

    Apart(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void opened(InstanceId spool) {
      own.add(spool);
    }

    @Override
    public long bytes(long usedBytes, int segmentBytes) {
      return bytes;
    }

    @Override
    public void closed(InstanceId spool, long usedBytes) {
      own.remove(spool);
      takenBytes.addAndGet(usedBytes); // until the next reading includes what is left of it
      departedBytes.addAndGet(usedBytes);
    }
  }
}
