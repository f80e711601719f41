package dev.forebay.tiered;

import dev.forebay.tiered.spool.InstanceId;
import java.util.HashMap;
import java.util.Map;

/**
 * The spools that earlier starts of one appender left with records, which are in flight in its
 * account. If a later start of the same appender ships such a spool, its records are settled. If
 * another appender or process ships it, this appender cannot know, and they stay in flight.
 *
 * <p>Written by the shippers' threads.
 */
final class FormerSpools {

  /**
   * Newly settled records.
   *
   * @param committed records in the log
   * @param lost no longer readable
   */
  record Decided(long committed, long lost) {

    static final Decided NOTHING = new Decided(0, 0);
  }

  /** The records from {@code from} on, up to {@code limit}, are still in flight. */
  private record Rest(long from, long limit) {}

  /** Guarded by this. */
  private final Map<InstanceId, Rest> rests = new HashMap<>();

  /** A spool or loop is left to a later start; its records below {@code from} are settled. */
  synchronized void leave(InstanceId spool, long from, long limit) {
    if (from < limit) {
      rests.put(spool, new Rest(from, limit));
    }
  }

  /** Records in a spool that are not settled; 0 for a spool of another appender. */
  synchronized long left(InstanceId spool) {
    Rest rest = rests.get(spool);
    return rest == null ? 0 : rest.limit - rest.from;
  }

  /**
   * The records of a spool up to a sequence were shipped.
   *
   * @param lost how many of the last ones among them could not be read
   */
  synchronized Decided shipped(InstanceId spool, long upTo, long lost) {
    Rest rest = rests.get(spool);
    if (rest == null || upTo <= rest.from) {
      return Decided.NOTHING;
    }
    long reached = Math.min(upTo, rest.limit);
    long decided = reached - rest.from;
    if (reached == rest.limit) {
      rests.remove(spool);
    } else {
      rests.put(spool, new Rest(reached, rest.limit));
    }
    long gone = Math.min(decided, lost);
    return new Decided(decided - gone, gone);
  }
}
