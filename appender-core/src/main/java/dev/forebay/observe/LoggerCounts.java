package dev.forebay.observe;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Counts by logger, for at most {@value #SLOTS} of them; what further loggers would have goes to
 * {@link #OTHERS}, so that no number of names takes more memory.
 *
 * <p>Logging threads add without a lock: a name takes the first free slot of its few by one
 * exchange and keeps it. Each of the two readers remembers what it has seen.
 */
final class LoggerCounts {

  /** Stands for loggers that have no slot. */
  static final String OTHERS = "others";

  private static final int SLOTS = 64;

  /** How many slots a name may take: bounds what a log call looks at. */
  private static final int SLOTS_OF_NAME = 8;

  private static final int READERS = 2;

  /** The count of one name; {@code seen} belongs to the readers, one element each. */
  private static final class Count {
    final String logger;
    final AtomicLong events = new AtomicLong();
    final long[] seen = new long[READERS];

    Count(String logger) {
      this.logger = logger;
    }
  }

  private final AtomicReferenceArray<@Nullable Count> counts = new AtomicReferenceArray<>(SLOTS);
  private final Count others = new Count(OTHERS);

  void add(String logger) {
    countOf(logger).events.incrementAndGet();
  }

  private Count countOf(String logger) {
    int hash = logger.hashCode();
    int first = hash ^ (hash >>> 16);
    for (int i = 0; i < SLOTS_OF_NAME; i++) {
      int slot = (first + i) & (SLOTS - 1);
      Count found = counts.get(slot);
      if (found == null) {
        Count fresh = new Count(logger);
        found = counts.compareAndExchange(slot, null, fresh);
        if (found == null) {
          return fresh;
        }
      }
      if (found.logger.equals(logger)) {
        return found;
      }
    }
    return others;
  }

  /** What was added since this reader's last call, without zeros. */
  Map<String, Long> advance(int reader) {
    Map<String, Long> fresh = new HashMap<>();
    advance(others, reader, fresh);
    for (int slot = 0; slot < SLOTS; slot++) {
      Count count = counts.get(slot);
      if (count != null) {
        advance(count, reader, fresh);
      }
    }
    return Map.copyOf(fresh);
  }

  private static void advance(Count count, int reader, Map<String, Long> into) {
    long events = count.events.get() - count.seen[reader];
    if (events > 0) {
      count.seen[reader] += events;
      into.merge(count.logger, events, Long::sum);
    }
  }
}
