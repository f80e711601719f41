package dev.forebay.pipeline;

import dev.forebay.observe.Levels;

/**
 * How full the ring may be to accept an event of each level.
 *
 * @param traceAndDebug slots filled at which TRACE and DEBUG are shed
 * @param info slots filled at which INFO is shed
 * @param capacity slots of the ring: the limit of WARN and ERROR
 * @param onlyForLackOfSpool whether TRACE and DEBUG have as much as INFO while log calls help the
 *     flusher, because then the ring is full for a moment only
 */
public record FillLimits(int traceAndDebug, int info, int capacity, boolean onlyForLackOfSpool) {

  /** No shedding: every level may fill the ring. */
  public static FillLimits none(int capacity) {
    return new FillLimits(capacity, capacity, capacity, true);
  }

  /** The default: TRACE and DEBUG have half of the ring, INFO four fifths. */
  public static FillLimits byLevel(int capacity) {
    return new FillLimits(
        Math.max(1, capacity / 2), Math.max(1, (int) (capacity * 4L / 5)), capacity, true);
  }

  /**
   * Like Logback's {@code AsyncAppender}: TRACE, DEBUG and INFO are shed while fewer than {@code
   * discardingThreshold} slots are free.
   */
  public static FillLimits discardingBelow(int discardingThreshold, int capacity) {
    int limit = Math.min(capacity, capacity - discardingThreshold + 1);
    return new FillLimits(limit, limit, capacity, false);
  }

  /** The limit of one level. */
  public int of(int levelIndex) {
    return levelIndex >= Levels.WARN ? capacity : levelIndex == Levels.INFO ? info : traceAndDebug;
  }

  /** The limit of one level while log calls help the flusher. */
  int ofHelped(int levelIndex) {
    return onlyForLackOfSpool ? Math.max(info, of(levelIndex)) : of(levelIndex);
  }
}
