package dev.forebay.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The drops of one reason and level: their number, first and last time and one sample.
 *
 * <p>Written by any number of logging threads. The number is exact. Times and sample are hints:
 * threads that drop at the same moment may overwrite each other's, so opaque access suffices. Each
 * of the two readers has its own first time, so that neither clears the other's.
 */
final class DropTrace {

  static final int READERS = 2;

  private static final VarHandle LAST;
  private static final VarHandle SAMPLE;
  private static final VarHandle FIRST = MethodHandles.arrayElementVarHandle(long[].class);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LAST = lookup.findVarHandle(DropTrace.class, "lastMs", long.class);
      SAMPLE = lookup.findVarHandle(DropTrace.class, "sample", ILoggingEvent.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LongAdder count = new LongAdder();
  private final long[] firstMs = new long[READERS];

  @SuppressWarnings("unused") // through LAST
  private long lastMs;

  @SuppressWarnings("unused") // through SAMPLE
  private @Nullable ILoggingEvent sample;

  void record(ILoggingEvent event) {
    record(1, event.getTimeStamp());
    if (SAMPLE.getOpaque(this) == null) {
      SAMPLE.setRelease(this, event);
    }
  }

  void record(long events, long timeMs) {
    LAST.setOpaque(this, timeMs);
    for (int reader = 0; reader < READERS; reader++) {
      if ((long) FIRST.getOpaque(firstMs, reader) == 0) {
        FIRST.setOpaque(firstMs, reader, timeMs);
      }
    }
    count.add(events);
  }

  long count() {
    return count.sum();
  }

  long lastMs() {
    return (long) LAST.getOpaque(this);
  }

  /** Time of the first drop since the last call for this reader, milliseconds since the epoch. */
  long takeFirstMs(int reader) {
    long first = (long) FIRST.getAndSet(firstMs, reader, 0L);
    return first == 0 ? lastMs() : first;
  }

  @Nullable ILoggingEvent takeSample() {
    return (ILoggingEvent) SAMPLE.getAndSet(this, null);
  }
}
