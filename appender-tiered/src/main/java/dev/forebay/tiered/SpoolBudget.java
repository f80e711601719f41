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
 * Memory that the spools of several appenders share, first come, first served: a spool may make
 * another segment while all of them and what others hold there leave room for it. Two segments it
 * may have in any case.
 *
 * <p>Safe for any thread. No lock is waited for.
 */
final class SpoolBudget {

  /** How old the reading may be when it decides about a segment. */
  static final long LOOK_NS = 1_000_000_000;

  /** How old it may become otherwise, for what is shown and how early a spool counts as filling. */
  private static final long REFRESH_NS = 10_000_000_000L;

  /** One to write to and one to ship: with fewer a log could stand still. */
  private static final int LEAST_SEGMENTS = 2;

  /** While more than this part is taken, spares are for those who need a segment. */
  private static final int SPARES_PART = 2;

  /** Finds out how much there is to share. */
  interface Gauge {
    /**
     * Looks now.
     *
     * @param own spools that are accounted for
     */
    Reading read(Set<InstanceId> own) throws IOException;
  }

  /**
   * What a {@link Gauge} shows.
   *
   * @param othersBytes taken by spools that are nobody's here: of dead processes, other processes,
   *     other class loaders
   * @param limitBytes what all may take together
   */
  record Reading(long othersBytes, long limitBytes) {}

  private final Gauge gauge;
  private final NanoClock clock;

  /** Spools that are open here, with a share or with a cap of their own. */
  private final Set<InstanceId> own = ConcurrentHashMap.newKeySet();

  /** Segments of all shares, and of closed spools that no reading has seen yet. */
  private final AtomicLong takenBytes = new AtomicLong();

  /** Of closed spools: from the next reading on, whatever is left of them is that of others. */
  private final AtomicLong departedBytes = new AtomicLong();

  /** Held by the one who looks; nobody waits for it. */
  private final ReentrantLock looking = new ReentrantLock();

  /** Written with the lock held; the latest will do for whoever reads it. */
  private volatile Reading reading = new Reading(0, 0);

  // Written with the lock held, read without: who misses the newest value looks once more.
  private volatile boolean hasRead;
  private volatile long readNs;

  SpoolBudget(Gauge gauge, NanoClock clock) {
    this.gauge = gauge;
    this.clock = clock;
  }

  /** For a spool whose size nobody has set. */
  SpoolCap share() {
    return share(Long.MAX_VALUE);
  }

  /** A share that never exceeds this. */
  SpoolCap share(long mostBytes) {
    return new Share(mostBytes);
  }

  /** For a spool whose size the user has set: room of its own, beside what the others share. */
  SpoolCap apart(long bytes) {
    return new Apart(SpoolCap.fixed(bytes));
  }

  /** What all shares may take together, as last seen. */
  long limitBytes() {
    return reading.limitBytes();
  }

  /** What others held when last seen. */
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
      // What was seen last holds until the next look.
    } finally {
      readNs = clock.nanoTime();
      hasRead = true;
      looking.unlock();
    }
  }

  private boolean isFresh(long oldestNs) {
    return hasRead && departedBytes.get() == 0 && clock.nanoTime() - readNs < oldestNs;
  }

  /** What is left for all shares together; below 0 where minima have gone beyond. */
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

  /** Known, so that it does not count as taken by others, and with nothing to share. */
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
      takenBytes.addAndGet(usedBytes); // until the next look finds what is left of it
      departedBytes.addAndGet(usedBytes);
    }
  }
}
