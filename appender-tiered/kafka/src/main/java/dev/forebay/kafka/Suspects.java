package dev.forebay.kafka;

/**
 * Which record of a spool is refused for itself: it is sent alone until it was refused three times.
 * For the shipper's thread.
 */
final class Suspects {

  private static final int ATTEMPTS = 3;

  private long suspect = -1;

  /** How often it was refused, alone but for the first time. */
  private int refusals;

  /** Records before this are sent one by one: one of them may be refused. */
  private long aloneUpTo;

  /** The first sequence of the last attempt that failed. */
  private long failedFrom = -1;

  /**
   * An attempt failed. If it fails again without a refusal, its records are sent one by one too: in
   * a batch, a record that the brokers refuse may cause another failure.
   *
   * @param from the first record of the attempt, or of a gap before it
   * @param sent the sequence after the last one that was sent
   * @param refused what was refused for itself; -1 if nothing was
   * @param isFinal whether it always will be
   */
  void failed(long from, long sent, long refused, boolean isFinal) {
    if (refused >= 0) {
      int before = refused == suspect && isAlone(sent - 1) ? refusals : 0;
      refusals = isFinal ? ATTEMPTS : before + 1;
      suspect = refused;
    } else if (from == failedFrom) {
      aloneUpTo = Math.max(aloneUpTo, sent);
    }
    failedFrom = from;
  }

  boolean isAlone(long sequence) {
    return sequence < aloneUpTo || sequence == suspect;
  }

  /** Whether a record was refused so often that it is set aside. */
  boolean isSetAside(long sequence) {
    return sequence == suspect && refusals >= ATTEMPTS;
  }

  void forget() {
    aloneUpTo = 0;
    suspect = -1;
    failedFrom = -1;
  }
}
