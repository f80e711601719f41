package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.Figure;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** All that is read at the begin and at the end of the measured time. */
record Reading(TaskReading tasks, HeapReading heap, List<Long> turns) {

  /** At the begin: what the reading itself costs should come before the threads are read. */
  static Reading before(Backend backend) throws IOException {
    List<Long> turns = backend.turns();
    HeapReading heap = HeapReading.now();
    return new Reading(TaskReading.now(), heap, turns);
  }

  /** At the end: the other way round. */
  static Reading after(Backend backend) throws IOException {
    TaskReading tasks = TaskReading.now();
    HeapReading heap = HeapReading.now();
    return new Reading(tasks, heap, backend.turns());
  }

  /** Adds the figures of the time since an earlier reading. */
  void figuresSince(Reading earlier, long[] producerIds, Map<Figure, Double> to) {
    List<TaskReading.Task> used = tasks.since(earlier.tasks);
    put(to, Figure.CALLER_CPU_NS, TaskReading.cpuNs(used, TaskReading.Task::logs));
    put(to, Figure.OTHER_CPU_NS, TaskReading.cpuNs(used, task -> !task.logs()));
    put(to, Figure.JVM_CPU_NS, TaskReading.cpuNs(used, TaskReading.Task::isOfJvm));
    put(to, Figure.VOLUNTARY_SWITCHES, TaskReading.voluntary(used, task -> !task.isOfJvm()));
    put(to, Figure.CALLER_VOLUNTARY_SWITCHES, TaskReading.voluntary(used, TaskReading.Task::logs));
    put(to, Figure.INVOLUNTARY_SWITCHES, TaskReading.involuntary(used, task -> !task.isOfJvm()));

    put(
        to,
        Figure.CALLER_ALLOCATED_BYTES,
        heap.bytesSince(earlier.heap, id -> contains(producerIds, id)));
    put(
        to,
        Figure.OTHER_ALLOCATED_BYTES,
        heap.bytesSince(earlier.heap, id -> !contains(producerIds, id)));
    put(to, Figure.GC_COUNT, heap.collectionsSince(earlier.heap));
    put(to, Figure.GC_NS, heap.collectingNsSince(earlier.heap));
  }

  private static void put(Map<Figure, Double> to, Figure figure, long value) {
    to.put(figure, (double) value);
  }

  private static boolean contains(long[] ids, long id) {
    return Arrays.stream(ids).anyMatch(each -> each == id);
  }

  /** The turns of a background thread, by size, since an earlier reading; empty when unknown. */
  List<Long> turnsSince(Reading earlier) {
    if (earlier.turns.size() != turns.size()) {
      return List.of();
    }
    return java.util.stream.IntStream.range(0, turns.size())
        .mapToObj(size -> turns.get(size) - earlier.turns.get(size))
        .toList();
  }
}
