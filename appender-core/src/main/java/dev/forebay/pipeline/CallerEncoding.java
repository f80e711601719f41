package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Lets log calls encode their own events while the ring fills faster than the flusher empties it,
 * so that several processors share the work that one thread cannot do. Any thread.
 *
 * <p>Not while the flusher stands still: then the bytes would not help, and whatever holds it up, a
 * hanging encoder for example, must not hold up log calls too.
 */
final class CallerEncoding {

  /** How long the flusher may stay at one event, nanoseconds: longer than it waits for its turn. */
  static final long STILL_NS = 100_000_000;

  /** How old a look at the flusher may be, nanoseconds: most calls then share one cache line. */
  private static final long LOOK_NS = 1_000_000;

  private final @Nullable Encoder<ILoggingEvent> encoder;
  private final CallerDataCheck callerDataCheck;
  private final NanoClock clock;

  // Written by any log call. The latest pair need not match: a wrong answer costs one call its
  // help.
  private volatile long seenPosition = -1;
  private volatile long movedNs;

  /**
   * @param encoder null if only the flusher may encode
   */
  CallerEncoding(
      @Nullable Encoder<ILoggingEvent> encoder, CallerDataCheck callerDataCheck, NanoClock clock) {
    this.encoder = encoder;
    this.callerDataCheck = callerDataCheck;
    this.clock = clock;
  }

  /**
   * The bytes of an event; null if the flusher is to encode it. That is also so if the encoder
   * fails: then it fails once more there, where failures are counted.
   */
  byte @Nullable [] encode(ILoggingEvent event, EventRing ring) {
    Encoder<ILoggingEvent> used = encoder;
    if (used == null || !isFlusherMoving(ring.position())) {
      return null;
    }
    try {
      return used.encode(callerDataCheck.shownToCaller(event));
    } catch (Throwable t) { // foreign code, at the end of a stack that may be almost full
      return null;
    }
  }

  private boolean isFlusherMoving(long position) {
    long nowNs = clock.nanoTime();
    long sinceNs = nowNs - movedNs;
    if (seenPosition >= 0 && sinceNs < LOOK_NS) {
      return true;
    }
    if (position != seenPosition) {
      seenPosition = position;
      movedNs = nowNs;
      return true;
    }
    return sinceNs < STILL_NS;
  }
}
