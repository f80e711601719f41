package dev.forebay.benchmarks.lab.child;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/** Heap that each thread allocated until now, and the collections. */
final class HeapReading {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Those that stop the application; a concurrent cycle is no collection of its own. */
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(collector -> !collector.getName().contains("Concurrent"))
          .toList();

  private final Map<Long, Long> bytesByThread;
  private final long collections;
  private final long collectingMs;

  private HeapReading(Map<Long, Long> bytesByThread, long collections, long collectingMs) {
    this.bytesByThread = bytesByThread;
    this.collections = collections;
    this.collectingMs = collectingMs;
  }

  /** A reading of all threads but the calling one. */
  @SuppressWarnings("deprecation") // The successor of getId came after JDK 17.
  static HeapReading now() {
    long own = Thread.currentThread().getId();
    long[] ids = Arrays.stream(THREADS.getAllThreadIds()).filter(id -> id != own).toArray();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Long> byThread = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      byThread.put(ids[i], Math.max(0, bytes[i])); // -1: it ended meanwhile
    }
    return new HeapReading(
        byThread,
        COLLECTORS.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum(),
        COLLECTORS.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum());
  }

  /** What the threads allocated, of those that there were then and are now. */
  long bytesSince(HeapReading earlier, LongPredicate which) {
    long sum = 0;
    for (Map.Entry<Long, Long> thread : bytesByThread.entrySet()) {
      Long before = earlier.bytesByThread.get(thread.getKey());
      if (before != null && which.test(thread.getKey())) {
        sum += thread.getValue() - before;
      }
    }
    return sum;
  }

  long collectionsSince(HeapReading earlier) {
    return collections - earlier.collections;
  }

  long collectingNsSince(HeapReading earlier) {
    return TimeUnit.MILLISECONDS.toNanos(collectingMs - earlier.collectingMs);
  }
}
