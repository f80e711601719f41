package dev.forebay.tiered.spool;

import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Memory that several spools share, first come, first served: a spool may create another segment
 * while these and other processes' spools leave space for it. It may always have two segments:
 * these are reserved from the start, and smaller the less is left to reserve. Spools share one
 * budget, flight recorders' loops another.
 *
 * <p>Thread-safe. Its lock is held for a few additions only, never while it measures.
 */
public final class SpoolBudget {

  /** Maximum age of the reading for a decision about a segment. */
  public static final long LOOK_NS = 1_000_000_000;

  /** Its maximum age otherwise: for the size of segments, for display, for how full a spool is. */
  private static final long REFRESH_NS = 10_000_000_000L;

  /** One to write to and one to ship: with fewer, a log could stall. */
  private static final int LEAST_SEGMENTS = 2;

  /** The smallest segment for which a configured size is reduced. */
  private static final int LEAST_SEGMENT_BYTES = 64 << 10;

  /** While more than this fraction is taken, spares are given up to spools that need a segment. */
  private static final int SPARES_PART = 2;

  /** Measures how much there is to share. */
  public interface Gauge {
    /** Measures now, without these, which are accounted for. */
    Reading read(Set<InstanceId> own) throws IOException;
  }

  /**
   * A measurement of a {@link Gauge}.
   *
   * @param othersBytes taken by spools outside this budget: of dead processes, other processes,
   *     other class loaders
   * @param limitBytes limit on all of them together
   */
  public record Reading(long othersBytes, long limitBytes) {}

  /**
   * To be held from the decision about a {@link #share} until what has it is created, and so
   * counted by the next.
   */
  public final Object creation = new Object();

  private final Gauge gauge;
  private final LongSupplier clockNs;

  // All but the reading written with the lock held. Volatile: an older value does no harm.

  /** The open spools, those with their own cap included. */
  private final Set<InstanceId> own = new HashSet<>();

  /** Bytes that open shares have always, whether taken or not. */
  private volatile long reservedBytes;

  /** Bytes taken or reserved by shares. */
  private volatile long takenBytes;

  private volatile Reading reading = new Reading(0, 0);

  private volatile boolean isStale = true;
  private volatile long readNs;

  /** The gauge is run by a thread that needs a reading; the clock is monotonic. */
  public SpoolBudget(Gauge gauge, LongSupplier clockNs) {
    this.gauge = gauge;
    this.clockNs = clockNs;
  }

  /**
   * A share of this budget. Its segments are so small that the least it has is half of what no
   * other has reserved: so many shares stay within the limit.
   *
   * @param mostBytes what it never exceeds
   * @param mostSegmentBytes the wanted size of its segments
   */
  public SpoolLimits share(long mostBytes, int mostSegmentBytes) {
    look(REFRESH_NS);
    long free = (reading.limitBytes() - reservedBytes) / (2 * LEAST_SEGMENTS);
    int segmentBytes = (int) Math.min(mostSegmentBytes, Math.max(LEAST_SEGMENT_BYTES, free));
    return new SpoolLimits(this, false, mostBytes, segmentBytes);
  }

  /** A cap outside the shares. Registers the spool, which else counted as another process's. */
  public SpoolLimits apart(long bytes, int segmentBytes) {
    return new SpoolLimits(this, true, bytes, segmentBytes);
  }

  /** Limit on all shares together, as last measured. */
  public long limitBytes() {
    return reading.limitBytes();
  }

  private void look(long oldestNs) {
    if (!isStale && clockNs.getAsLong() - readNs < oldestNs) {
      return;
    }
    Set<InstanceId> known;
    synchronized (this) {
      isStale = false;
      known = Set.copyOf(own);
    }
    readNs = clockNs.getAsLong(); // no other thread measures meanwhile
    try {
      reading = gauge.read(known);
    } catch (IOException e) {
      // The last reading stays valid until the next attempt.
    }
  }

  /**
   * What a spool or loop has, or several that follow one another. Methods are for the flusher's
   * thread unless they say otherwise.
   */
  final class Share {
    private final SpoolLimits limits;
    private final long leastBytes;

    /** How many have joined and not left. Guarded by the budget's lock. */
    private int owners;

    /** Bytes of the owners' segments and spares. Written with the budget's lock held. */
    private volatile long usedBytes;

    Share(SpoolLimits limits) {
      this.limits = limits;
      this.leastBytes =
          limits.isApart() ? limits.mostBytes() : (long) LEAST_SEGMENTS * segmentBytes();
    }

    void join(InstanceId owner) {
      synchronized (SpoolBudget.this) {
        own.add(owner);
        if (owners++ == 0) {
          reservedBytes += limits.isApart() ? 0 : leastBytes;
          takenBytes += limits.isApart() ? 0 : leastBytes;
        }
      }
    }

    int segmentBytes() {
      return limits.segmentBytes();
    }

    /** The bytes of this share now. For any thread. */
    long usedBytes() {
      return usedBytes;
    }

    /** Whether {@link #take} would succeed now. */
    boolean hasRoom() {
      long more = usedBytes + segmentBytes();
      if (more > limits.mostBytes() || more <= leastBytes) {
        return more <= limits.mostBytes();
      }
      look(LOOK_NS);
      return leftBytes() >= segmentBytes();
    }

    /** Takes the space of a segment; false at the cap. */
    boolean take() {
      boolean hasRoom = hasRoom();
      synchronized (SpoolBudget.this) { // another spool may have taken it since
        hasRoom &= usedBytes + segmentBytes() <= leastBytes || leftBytes() >= segmentBytes();
        if (hasRoom) {
          use(segmentBytes());
        }
      }
      return hasRoom;
    }

    /** Returns the space of a segment. Called by the flusher's or the shipper's thread. */
    void giveBack() {
      synchronized (SpoolBudget.this) {
        use(-segmentBytes());
      }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the lock is held
    private void use(long bytes) {
      long before = countedBytes();
      usedBytes += bytes;
      boolean isCounted = !limits.isApart() && owners > 0;
      takenBytes += isCounted ? countedBytes() - before : 0;
    }

    private long countedBytes() {
      return Math.max(usedBytes, leastBytes);
    }

    /** Bytes left for all of them together; negative if minimum sizes exceed the limit. */
    private long leftBytes() {
      Reading seen = reading;
      return seen.limitBytes() - seen.othersBytes() - takenBytes;
    }

    /** Whether a spare stays although other spools may need its space. By the shipper's thread. */
    boolean keepsSpares() {
      Reading seen = reading;
      return usedBytes <= leastBytes
          || takenBytes + seen.othersBytes() <= seen.limitBytes() / SPARES_PART;
    }

    /** The cap now. Any thread. */
    long limitBytes() {
      long segments = limits.isApart() ? 0 : Math.max(0, leftBytes() / segmentBytes());
      return Math.min(limits.mostBytes(), countedBytes() + segments * segmentBytes());
    }

    /** Updates, if it is time, how much other spools have taken. */
    void refresh() {
      if (!limits.isApart()) {
        look(REFRESH_NS);
      }
    }

    /**
     * An owner is closed or deleted; of its segments these may be left. Any thread; may be
     * repeated.
     */
    void leave(InstanceId owner, int segments) {
      synchronized (SpoolBudget.this) {
        if (own.remove(owner)) {
          if (owners > 1) {
            use(-(long) segments * segmentBytes());
          } else {
            reservedBytes -= limits.isApart() ? 0 : leastBytes;
            takenBytes -= limits.isApart() ? 0 : countedBytes();
          }
          owners--;
          isStale = true; // the next reading says what is left of it
        }
      }
    }
  }
}
