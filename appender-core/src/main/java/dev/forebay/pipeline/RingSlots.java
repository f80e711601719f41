package dev.forebay.pipeline;

import dev.forebay.shaded.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue of an {@link EventRing}, and the bytes that the events in it, and those rescued before
 * it, have reserved.
 */
final class RingSlots extends MpscVarHandleArrayQueue<Object> {

  /** Increased by callers with heavy events, decreased by the consumer. */
  final AtomicLong reservedBytes;

  RingSlots(int slots, long reservedBytes) {
    super(slots);
    this.reservedBytes = new AtomicLong(reservedBytes);
  }

  /** Whether a slot other than the oldest is taken and empty. Consumer only. */
  boolean hasHoleInside() {
    int empty = size() - (relaxedPeek() == null ? 1 : 0);
    for (Object ignored : this) {
      empty--;
    }
    return empty > 0;
  }
}
