package dev.forebay.kafka;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which time a record gets: the event's, or, where brokers refuse that, what their clock says.
 * Topics take no time that is an hour ahead or more, unless configured otherwise: a wrong clock
 * would cost every event. In milliseconds since the epoch. For the shipper's thread.
 */
final class RecordTimes {

  /** A record refused although its time is this near to the brokers' clock teaches nothing. */
  private static final long NEAR_MS = 1_000;

  /** A difference this large shows that our clock was set or the machine slept. */
  private static final long JUMP_MS = 5_000;

  private final InstantSource clock;
  private final LongSupplier nanoClock;

  /**
   * Times so far ahead of the brokers' clock, or farther, are taken to be refused: half of what
   * was, as time goes on and the limit is not known.
   */
  private long refusedAheadMs = Long.MAX_VALUE;

  private long refusedBehindMs = Long.MAX_VALUE;

  /** How far the brokers' clock is ahead of ours; 0 if unknown. */
  private long brokersAheadMs;

  /** What our wall clock said when the monotonic clock said 0. */
  private long startMs;

  RecordTimes(InstantSource clock, LongSupplier nanoClock) {
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /** The record time for an event's time, which is negative if unknown. */
  long of(long eventMs) {
    long nowMs = brokersMs();
    long aheadMs = eventMs - nowMs;
    boolean isRefused = eventMs < 0 || aheadMs >= refusedAheadMs || aheadMs <= -refusedBehindMs;
    return isRefused ? Math.max(0, nowMs) : eventMs;
  }

  /** Ours again once it was set or slept: it may be right now, or is refused and asked for. */
  private long brokersMs() {
    boolean isSame = Math.abs(startMs() - startMs) <= JUMP_MS;
    return clock.millis() + (isSame ? brokersAheadMs : 0);
  }

  private long startMs() {
    return clock.millis() - TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong());
  }

  /**
   * A record was refused for its time.
   *
   * @param brokersMs what the brokers' clock says; negative if unknown: then our own clock has to
   *     be right
   * @param askedNs when it said that
   */
  void refused(long recordMs, long brokersMs, long askedNs) {
    startMs = startMs();
    long oursMs = startMs + TimeUnit.NANOSECONDS.toMillis(askedNs);
    brokersAheadMs = brokersMs < 0 ? 0 : brokersMs - oursMs;
    long aheadMs = recordMs - brokersMs();
    if (aheadMs > NEAR_MS) {
      refusedAheadMs = Math.min(refusedAheadMs, aheadMs / 2);
    } else if (aheadMs < -NEAR_MS) {
      refusedBehindMs = Math.min(refusedBehindMs, -aheadMs / 2);
    }
  }
}
