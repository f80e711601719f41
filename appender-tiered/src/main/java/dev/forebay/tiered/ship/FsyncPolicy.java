package dev.forebay.tiered.ship;

/**
 * When the log is forced to the disk.
 *
 * @param forces whether at all
 * @param intervalNs longest time between two forces while there is something new, nanoseconds; 0
 *     for after every batch
 */
public record FsyncPolicy(boolean forces, long intervalNs) {

  /** How often progress is committed when nothing is forced. */
  private static final long UNFORCED_INTERVAL_NS = 100_000_000;

  /** Leaves it to the operating system; a power cut may lose what was written last. */
  public static final FsyncPolicy NEVER = new FsyncPolicy(false, UNFORCED_INTERVAL_NS);

  /** After every batch. */
  public static final FsyncPolicy ALWAYS = new FsyncPolicy(true, 0);

  /** How often to look whether it is time, nanoseconds: 10 to 100 ms. */
  public long lookEveryNs() {
    return forces ? Math.max(10_000_000, Math.min(100_000_000, intervalNs / 10)) : intervalNs;
  }

  /** Whether it is time when the last force was so long ago: the next look would be too late. */
  public boolean isDue(long sinceNs) {
    return sinceNs > intervalNs - lookEveryNs();
  }

  /** At this interval while there is something new. */
  public static FsyncPolicy every(long intervalNs) {
    return new FsyncPolicy(true, intervalNs);
  }
}
