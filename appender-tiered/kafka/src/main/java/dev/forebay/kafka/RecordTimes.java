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
  private static final long NEAR_MS = 1_000;

  /** By so much our clock was set, or the machine slept: another clock stands still then. */
  private static final long JUMP_MS = 5_000;

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

  /** And what ours said. */
  private long toldOursMs;

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

  /** Ours again once it was set or slept: it may be right now, or is refused and asked for. */
  private long brokersMs() {
    long oursMs = clock.millis();
    long sinceMs = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - toldNs);
    if (Math.abs(oursMs - toldOursMs - sinceMs) > JUMP_MS) {
      toldMs = -1;
    }
    return toldMs < 0 ? oursMs : toldMs + sinceMs;
  }

  /**
   * A record was refused for its time.
   *
   * @param brokersMs what the brokers' clock says; negative if they do not tell, so that ours has
   *     to be right
   * @param askedNs when it said that
   */
  void refused(long recordMs, long brokersMs, long askedNs) {
    toldMs = brokersMs;
    toldNs = askedNs;
    toldOursMs = clock.millis() - TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - askedNs);
    long aheadMs = recordMs - brokersMs();
    if (aheadMs > NEAR_MS) {
      refusedAheadMs = Math.min(refusedAheadMs, aheadMs / 2);
    } else if (aheadMs < -NEAR_MS) {
      refusedBehindMs = Math.min(refusedBehindMs, -aheadMs / 2);
    }
  }
}
