package dev.forebay.benchmarks.many;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** What this process holds in the heap after a collection, and in buffers outside it. */
record Held(long heapBytes, long directBytes) {

  private static final int COLLECTIONS = 3; // what a cleaner frees is collected later
  private static final long PAUSE_MS = 100;

  static Held now() throws InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(PAUSE_MS);
    }
    long directBytes =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return new Held(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), directBytes);
  }
}
