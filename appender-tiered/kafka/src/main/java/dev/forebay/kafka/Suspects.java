package dev.forebay.kafka;

/**
 * Which record of a spool is refused for itself: after a refusal, those up to it are sent one by
 * one. For the shipper's thread.
 */
final class Suspects {

  private static final int ATTEMPTS = 3;

  /** Records before this are sent one by one: one of them is refused. */
  private long aloneUpTo;

  /** How often the record at {@link #last} was refused while it was alone. */
  private int refusals;

  private long last = -1;

  /** Where the last attempt that failed began. */
  private long failedFrom = -1;

  /**
   * An attempt failed. If that comes again, its records are sent alone too: among others a refused
   * one may fail in another way.
   *
   * @param from the first record of the attempt, or of a gap before it
   * @param sent the sequence after the last one that was sent
   * @param refusedUpTo the sequence after the last one that was refused for itself; 0 if none was
   */
  void failed(long from, long sent, long refusedUpTo) {
    boolean wasAlone = isAlone(from);
    if (refusedUpTo > 0) {
      long refused = refusedUpTo - 1; // a gap may lie between
      int before = refused == last ? refusals : 0;
      refusals = wasAlone ? before + 1 : 0;
      last = refused;
      aloneUpTo = Math.max(aloneUpTo, refusedUpTo);
    } else if (from == failedFrom) {
      aloneUpTo = Math.max(aloneUpTo, sent);
    }
    failedFrom = from;
  }

  boolean isAlone(long next) {
    return next < aloneUpTo;
  }

  /** Whether a record was refused so often that it is set aside. */
  boolean isSetAside(long sequence) {
    return sequence == last && refusals >= ATTEMPTS;
  }

  void forget() {
    aloneUpTo = 0;
    refusals = 0;
    last = -1;
    failedFrom = -1;
  }
}
