package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Scenario;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The memory that holds events while a disk is frozen. It takes a collection at each end, so it is
 * read before the load and when the last call is due, and in no other scenario.
 *
 * @param heapBytes heap in use before the load
 * @param spool directory of the spool
 */
record HeldMemory(long heapBytes, Path spool) {

  /** Before the load; nothing where it is not read. */
  static Optional<HeldMemory> before(Assignment assignment) {
    return assignment.scenario().fault() == Scenario.Fault.LONG_FREEZE
        ? Optional.of(new HeldMemory(heapInUse(), assignment.spool()))
        : Optional.empty();
  }

  /** Adds what is held now. */
  void figures(Map<Figure, Double> to) throws IOException {
    to.put(Figure.HELD_SPOOL_BYTES, (double) LogFiles.size(spool));
    to.put(Figure.HELD_HEAP_BYTES, (double) Math.max(0, heapInUse() - heapBytes));
  }

  private static long heapInUse() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
