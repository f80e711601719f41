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

  /**
   * An attempt failed since records were refused.
   *
   * @param from the first record of the attempt, or of a gap before it
   * @param upTo the sequence after the last of those that were refused
   */
  void refused(long from, long upTo) {
    long refused = upTo - 1; // a gap may lie between
    boolean wasAlone = from < aloneUpTo;
    int before = refused == last ? refusals : 0;
    refusals = wasAlone ? before + 1 : 0;
    last = refused;
    aloneUpTo = Math.max(aloneUpTo, upTo);
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
  }
}
