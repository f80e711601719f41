package dev.forebay.kafka;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which time a record gets: the event's, or, where brokers refuse that, what their clock says.
 * Topics take no time that is an hour ahead or more, unless told otherwise: a wrong clock would
 * cost each event. In milliseconds since the epoch. For the shipper's thread.
 */
final class RecordTimes {

  /** What is refused though it is so near to the brokers' clock teaches nothing. */
  private static final long NEAR_MS = 60_000;

  private final InstantSource clock;
  private final LongSupplier nanoClock;

  /**
   * Times so far ahead of the brokers' clock, or farther, are taken to be refused: half of what
   * was, as time goes on and the limit is not known.
   */
  private long refusedAheadMs = Long.MAX_VALUE;

  private long refusedBehindMs = Long.MAX_VALUE;

  /** What the brokers' clock said last, and when; negative if they did not tell. */
  private long toldMs = -1;

  private long toldNs;

  RecordTimes(InstantSource clock, LongSupplier nanoClock) {
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /** For an event of a time; of a negative one nothing is known. */
  long of(long eventMs) {
    long nowMs = brokersMs();
    long aheadMs = eventMs - nowMs;
    boolean isRefused = eventMs < 0 || aheadMs >= refusedAheadMs || aheadMs <= -refusedBehindMs;
    return isRefused ? Math.max(0, nowMs) : eventMs;
  }

  /** Whatever our clock says by now: it may have been set right. */
  private long brokersMs() {
    long sinceNs = nanoClock.getAsLong() - toldNs;
    return toldMs < 0 ? clock.millis() : toldMs + TimeUnit.NANOSECONDS.toMillis(sinceNs);
  }

  /**
   * A record was refused for its time.
   *
   * @param brokersMs what the brokers' clock says; negative if they do not tell, so that ours has
   *     to be right
   */
  void refused(long recordMs, long brokersMs) {
    toldMs = brokersMs;
    toldNs = nanoClock.getAsLong();
    long aheadMs = recordMs - brokersMs();
    if (aheadMs > NEAR_MS) {
      refusedAheadMs = Math.min(refusedAheadMs, aheadMs / 2);
    } else if (aheadMs < -NEAR_MS) {
      refusedBehindMs = Math.min(refusedBehindMs, -aheadMs / 2);
    }
  }
}
