package dev.forebay.pipeline;

import dev.forebay.agent.TimeLimit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Notices a slot of the ring that stays empty. An Error in a log call, such as a
 * StackOverflowError, can leave one claimed but not filled; the flusher then sees a ring that is
 * not empty but never returns an event. A caller without a processor looks the same for a while.
 *
 * <p>For the flusher, unless a method says otherwise.
 */
final class HoleWatch {

  /**
   * How long a slot must stay empty, as a {@link TimeLimit}, nanoseconds: a caller may be without a
   * processor for half a second among hundreds of threads, but a stop with the default {@code
   * maxFlushTime} must still be able to deliver what follows.
   */
  static final long LOST_NS = 750_000_000;

  /** Between two looks at slots that calls may still fill, nanoseconds. */
  private static final long LAST_LOOK_NS = 200_000;

  private final EventRing ring;
  private final PipelineContext context;

  /** The position where poll returns nothing, or -1. */
  private long stuckAt = -1;

  /** How much longer that may last. */
  private @Nullable TimeLimit patience;

  HoleWatch(EventRing ring, PipelineContext context) {
    this.ring = ring;
    this.context = context;
  }

  /**
   * Looks for a hole, after the ring returned nothing.
   *
   * @return events found lost, now counted as dropped
   */
  int look() {
    long position = ring.size() == 0 ? -1 : ring.position();
    if (position < 0 || position != stuckAt || patience == null) {
      stuckAt = position;
      patience = position < 0 ? null : new TimeLimit(context.clock(), LOST_NS);
      return 0;
    }
    if (patience.leftNs() > 0) {
      return 0;
    }
    stuckAt = -1;
    return skip();
  }

  /**
   * Ends the flusher's part of the ring. Waits briefly for calls that have claimed a slot to fill
   * it, so that their events count with their levels. Slots still empty after that count as lost.
   * The thread that stops.
   */
  void writeOff() {
    ring.abandon();
    if (ring.fill() > 0) {
      skip();
      ring.settleStragglers();
    }
  }

  private void pause() {
    LockSupport.parkNanos(this, LAST_LOOK_NS);
  }

  private int skip() {
    int lost = ring.skipHole(context.wallClockMs().getAsLong(), this::pause);
    if (lost > 0) {
      String text =
          "%d log %s did not finish putting an event into the ring: ended by an Error, such as a StackOverflowError, or without a processor for %d ms. The events are lost; logging continues."
              .formatted(lost, lost == 1 ? "call" : "calls", LOST_NS / 1_000_000);
      context.voice().warn(text);
    }
    return lost;
  }
}
