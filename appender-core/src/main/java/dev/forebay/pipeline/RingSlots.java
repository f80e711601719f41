package dev.forebay.pipeline;

import dev.forebay.shaded.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A queue of an {@link EventRing}, and the bytes that the events in it, and those rescued before
 * it, have reserved.
 */
final class RingSlots extends MpscVarHandleArrayQueue<Object> {

  private static final VarHandle RESERVED;

  static {
    try {
      RESERVED = MethodHandles.lookup().findVarHandle(RingSlots.class, "reservedBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Increased by callers with heavy events, decreased by the consumer. */
  @SuppressWarnings("unused") // through RESERVED
  private long reservedBytes;

  RingSlots(int slots, long reservedBytes) {
    super(slots);
    this.reservedBytes = reservedBytes;
  }

  long reservedBytes() {
    return (long) RESERVED.getOpaque(this);
  }

  /** Returns what was reserved before; if that is not {@code expected}, nothing has changed. */
  long exchangeReserved(long expected, long bytes) {
    return (long) RESERVED.compareAndExchange(this, expected, bytes);
  }

  void addReserved(long bytes) {
    RESERVED.getAndAdd(this, bytes);
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
