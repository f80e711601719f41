package dev.forebay.host;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Collects garbage where the collections themselves are what is tested. */
public final class Garbage {

  private Garbage() {}

  /**
   * Has this JVM collect at least so often. A call of {@code System.gc()} alone may do nothing: on
   * JDK 17 so it is while a thread is in a critical section of native code.
   */
  public static void collect(int times) {
    long enough = collections() + times;
    while (collections() < enough) {
      System.gc();
    }
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }
}
