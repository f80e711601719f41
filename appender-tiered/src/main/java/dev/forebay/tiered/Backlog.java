package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.pipeline.FillLimits;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Encoded events that wait in the heap for room in the spool, while events behind them in the ring
 * are recorded. Bounded; the least important levels have the least of it. For the flusher's thread,
 * except {@link #size}.
 */
final class Backlog {

  /** About the memory that an event takes beside its bytes. */
  private static final int OVERHEAD_BYTES = 256;

  private static final int PARTS = 10;

  /** The same limits as in the ring. */
  private static final FillLimits LIMITS = FillLimits.byLevel(PARTS);

  /** An event and its bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(ILoggingEvent event, byte[] bytes) {}

  private final long limitBytes;

  /** Linked, since an array that grows without memory loses what it holds. */
  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

  private int count;

  private long heldBytes;

  /** As {@link #size}. */
  private volatile int size;

  Backlog(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Adds an event; false if those of its level have no room. */
  boolean add(ILoggingEvent event, byte[] bytes, int length, int level) {
    if (heldBytes + weight(length) > limitBytes / PARTS * LIMITS.of(level)) {
      return false;
    }
    keep(event, bytes, length);
    return true;
  }

  /** Adds an event that is already counted as taken, with a copy of so many of these bytes. */
  void keep(ILoggingEvent event, byte[] bytes, int length) {
    entries.add(new Entry(event, Arrays.copyOf(bytes, length)));
    heldBytes += weight(length);
    size = ++count;
  }

  /** The oldest one; null if there is none. */
  @Nullable Entry peek() {
    return entries.peek();
  }

  /** Removes the oldest one; null if there is none. {@link #settle} must follow. */
  @Nullable Entry poll() {
    Entry first = entries.poll();
    if (first != null) {
      count--;
      heldBytes -= weight(first.bytes().length);
    }
    return first;
  }

  /** Whether some were removed since the last {@link #settle}. */
  boolean isUnsettled() {
    return size != count;
  }

  /** Notes that the removed events are written, or counted as dropped. */
  void settle() {
    size = count;
  }

  private static long weight(int bytes) {
    return (long) bytes + OVERHEAD_BYTES;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Events not known to be written. For any thread. */
  int size() {
    return size;
  }
}
