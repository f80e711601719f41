package dev.forebay.tiered.ship;

/**
 * When records are made final, and whether they are forced to the disk then.
 *
 * @param intervalNs longest time between two forces while there are new records, nanoseconds; 0
 *     means after every batch
 */
public record FsyncPolicy(boolean forces, long intervalNs) {

  /** How often progress is committed when nothing is forced. */
  private static final long UNFORCED_INTERVAL_NS = 100_000_000;

  /** Leaves it to the operating system; a power cut may lose recently written records. */
  public static final FsyncPolicy NEVER = new FsyncPolicy(false, UNFORCED_INTERVAL_NS);

  /** After every batch. */
  public static final FsyncPolicy ALWAYS = new FsyncPolicy(true, 0);

  /** How often to check whether it is time, nanoseconds: 10 to 100 ms. */
  public long lookEveryNs() {
    return forces ? Math.max(10_000_000, Math.min(100_000_000, intervalNs / 10)) : intervalNs;
  }

  /** Whether a force is due this long after the last one: the next check would be too late. */
  public boolean isDue(long sinceNs) {
    return dueInNs(sinceNs) == 0;
  }

  /** Time until {@link #isDue}, this long after the last force, nanoseconds; 0 if it is. */
  long dueInNs(long sinceNs) {
    return Math.max(0, intervalNs - lookEveryNs() - sinceNs + 1);
  }

  /** Forces at this interval while there are new records. */
  public static FsyncPolicy every(long intervalNs) {
    return new FsyncPolicy(true, intervalNs);
  }
}
