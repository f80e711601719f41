package dev.forebay.kafka;

import java.util.Map;
import java.util.TreeMap;

/**
 * Which records of a spool are refused for themselves: those are sent alone until one was refused
 * three times. For the shipper's thread.
 */
final class Suspects {

  private static final int ATTEMPTS = 3;

  /** How often records were refused, by sequence; alone but for the first time. */
  private final TreeMap<Long, Integer> refusals = new TreeMap<>();

  /** Records before this are sent one by one: one of them may be refused. */
  private long aloneUpTo;

  /** Where the last attempt that failed began. */
  private long failedFrom = -1;

  /**
   * An attempt failed. If that comes again without a refusal, its records are sent alone too: among
   * others a refused one may fail in another way.
   *
   * @param from the first record of the attempt, or of a gap before it
   * @param sent the sequence after the last one that was sent
   * @param refused what was refused for itself; whether by the client, which always will
   */
  void failed(long from, long sent, Map<Long, Boolean> refused) {
    boolean wasAlone = isAlone(sent - 1);
    refusals.headMap(from).clear();
    refused.forEach(
        (sequence, isFinal) ->
            refusals.merge(
                sequence, isFinal ? ATTEMPTS : 1, (a, b) -> wasAlone ? a + b : Math.max(a, b)));
    if (refused.isEmpty() && from == failedFrom) {
      aloneUpTo = Math.max(aloneUpTo, sent);
    }
    failedFrom = from;
  }

  boolean isAlone(long sequence) {
    return sequence < aloneUpTo || refusals.containsKey(sequence);
  }

  /** Whether a record was refused so often that it is set aside. */
  boolean isSetAside(long sequence) {
    return refusals.getOrDefault(sequence, 0) >= ATTEMPTS;
  }

  void forget() {
    aloneUpTo = 0;
    refusals.clear();
    failedFrom = -1;
  }
}
