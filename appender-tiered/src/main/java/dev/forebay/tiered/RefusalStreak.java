package dev.forebay.tiered;

/**
 * Distinguishes a file system that has no more space for a spool from one that only pauses: shipped
 * segments are reused in their existing pages, and while that works, the spool stays in place. For
 * the flusher's thread.
 */
final class RefusalStreak {

  /** Short enough for a ring of 8,192 events at 200,000 events per second. */
  static final long PATIENCE_NS = 30_000_000;

  /** After this time without a refusal, the streak is over. */
  static final long FORGET_NS = 1_000_000_000;

  private final long progressBytes;
  private boolean isOpen;
  private long sinceNs;
  private long sinceBytes;
  private long lastNs;

  /**
   * @param progressBytes a spool that writes this much between two refusals stays in place
   */
  RefusalStreak(long progressBytes) {
    this.progressBytes = progressBytes;
  }

  /**
   * Records a refusal.
   *
   * @param writtenBytes bytes that the spool has taken so far
   * @return whether refusals have lasted too long
   */
  boolean isTooLong(long nowNs, long writtenBytes) {
    boolean isNew = !isOpen || nowNs - lastNs > FORGET_NS;
    lastNs = nowNs;
    isOpen = true;
    if (isNew) {
      begin(nowNs, writtenBytes);
    }
    if (nowNs - sinceNs < PATIENCE_NS) {
      return false;
    }
    if (writtenBytes - sinceBytes >= progressBytes) {
      begin(nowNs, writtenBytes);
      return false;
    }
    return true;
  }

  private void begin(long nowNs, long writtenBytes) {
    sinceNs = nowNs;
    sinceBytes = writtenBytes;
  }
}
