package dev.forebay.tiered;

/**
 * Tells a file system that has no more room for a spool from one that pauses: a shipped segment is
 * begun anew in the pages it has, and as long as that goes well, the spool stays where it is. For
 * the flusher's thread.
 */
final class RefusalStreak {

  /** Short enough for a ring of 8,192 at 200,000 events a second. */
  static final long PATIENCE_NS = 30_000_000;

  /** Without a refusal for so long, the streak is over. */
  static final long FORGET_NS = 1_000_000_000;

  private final long progressBytes;
  private boolean isOpen;
  private long sinceNs;
  private long sinceBytes;
  private long lastNs;

  /**
   * @param progressBytes who writes so much between two refusals does not suffer from them
   */
  RefusalStreak(long progressBytes) {
    this.progressBytes = progressBytes;
  }

  /**
   * Notes a refusal.
   *
   * @param writtenBytes what the spool has taken so far
   * @return whether they have lasted too long
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
