package dev.forebay.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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

  private final LongAdder count = new LongAdder();
  private final AtomicLong[] firstMs = {new AtomicLong(), new AtomicLong()};
  private final AtomicLong lastMs = new AtomicLong();
  private final AtomicReference<@Nullable ILoggingEvent> sample = new AtomicReference<>();

  void record(ILoggingEvent event) {
    record(1, event.getTimeStamp());
    if (sample.getOpaque() == null) {
      sample.setRelease(event);
    }
  }

  void record(long events, long timeMs) {
    lastMs.setOpaque(timeMs);
    for (AtomicLong first : firstMs) {
      if (first.getOpaque() == 0) {
        first.setOpaque(timeMs);
      }
    }
    count.add(events);
  }

  long count() {
    return count.sum();
  }

  long lastMs() {
    return lastMs.getOpaque();
  }

  /** Time of the first drop since the last call for this reader, milliseconds since the epoch. */
  long takeFirstMs(int reader) {
    long first = firstMs[reader].getAndSet(0);
    return first == 0 ? lastMs() : first;
  }

  @Nullable ILoggingEvent takeSample() {
    return sample.getAndSet(null);
  }
}
