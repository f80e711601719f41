package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.shaded.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A queue, and the bytes reserved by its events and by events rescued from the queue before. */
final class RingSlots extends MpscVarHandleArrayQueue<Object> {

  /**
   * An event in the ring with its bytes or its reservation.
   *
   * @param bytes what its log call has encoded; null if the flusher is to encode it
   * @param reservedBytes of the ring's bytes; 0 if its slot's share is enough
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Parcel(ILoggingEvent event, byte @Nullable [] bytes, long reservedBytes) {}

  /** Increased by callers with heavy events, decreased by the consumer. */
  final AtomicLong reservedBytes;

  RingSlots(int slots, long reservedBytes) {
    super(slots);
    this.reservedBytes = new AtomicLong(reservedBytes);
  }

  /** Whether a slot is taken and empty. Consumer only. */
  boolean hasHole() {
    int empty = size();
    for (Object ignored : this) {
      empty--;
    }
    return empty > 0;
  }
}
