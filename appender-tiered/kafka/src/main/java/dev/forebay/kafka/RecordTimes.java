package dev.forebay.kafka;

import java.time.InstantSource;

/**
 * Which time a record gets: the event's, or, where brokers refuse that, what their clock says.
 * Topics take no time that is an hour ahead or more, unless told otherwise: a wrong clock would
 * cost each event. In milliseconds since the epoch. For the shipper's thread.
 */
final class RecordTimes {

  /** What is refused though it is so near to the brokers' clock teaches nothing. */
  private static final long NEAR_MS = 60_000;

  private final InstantSource clock;

  /**
   * Times so far ahead of the brokers' clock, or farther, are taken to be refused: half of what
   * was, as time goes on and the limit is not known.
   */
  private long refusedAheadMs = Long.MAX_VALUE;

  private long refusedBehindMs = Long.MAX_VALUE;

  /** From our clock to that of the brokers. */
  private long offsetMs;

  RecordTimes(InstantSource clock) {
    this.clock = clock;
  }

  /** For an event of a time; of a negative one nothing is known. */
  long of(long eventMs) {
    long nowMs = brokersMs();
    long aheadMs = eventMs - nowMs;
    boolean isRefused = eventMs < 0 || aheadMs >= refusedAheadMs || aheadMs <= -refusedBehindMs;
    return isRefused ? Math.max(0, nowMs) : eventMs;
  }

  private long brokersMs() {
    return clock.millis() + offsetMs;
  }

  /**
   * A record was refused for its time.
   *
   * @param brokersMs what the brokers' clock says; negative if they do not tell, so that ours has
   *     to be right
   */
  void refused(long recordMs, long brokersMs) {
    offsetMs = brokersMs < 0 ? 0 : brokersMs - clock.millis();
    long aheadMs = recordMs - brokersMs();
    if (aheadMs > NEAR_MS) {
      refusedAheadMs = Math.min(refusedAheadMs, aheadMs / 2);
    } else if (aheadMs < -NEAR_MS) {
      refusedBehindMs = Math.min(refusedBehindMs, -aheadMs / 2);
    }
  }
}
