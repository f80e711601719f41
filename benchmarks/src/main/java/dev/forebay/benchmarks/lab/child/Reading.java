package dev.forebay.benchmarks.lab.child;

import com.sun.management.OperatingSystemMXBean;
import dev.forebay.benchmarks.lab.Figure;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** All that is read at the begin and at the end of the measured time. */
record Reading(TaskReading tasks, HeapReading heap, long processCpuNs, long diskBytes) {

  private static final Path IO = Path.of("/proc/self/io");
  private static final String DISK_BYTES = "write_bytes: ";

  /** At the begin: what the reading itself costs should come before the threads are read. */
  static Reading before() throws IOException {
    HeapReading heap = HeapReading.now();
    TaskReading tasks = TaskReading.now();
    return new Reading(tasks, heap, readProcessCpuNs(), readDiskBytes());
  }

  /** At the end: the other way round. */
  static Reading after() throws IOException {
    long processCpuNs = readProcessCpuNs();
    long diskBytes = readDiskBytes();
    TaskReading tasks = TaskReading.now();
    HeapReading heap = HeapReading.now();
    return new Reading(tasks, heap, processCpuNs, diskBytes);
  }

  private static long readDiskBytes() throws IOException {
    return Files.readAllLines(IO).stream()
        .filter(line -> line.startsWith(DISK_BYTES))
        .mapToLong(line -> Long.parseLong(line.substring(DISK_BYTES.length())))
        .sum();
  }

  private static long readProcessCpuNs() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
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
    put(to, Figure.DISK_BYTES, diskBytes - earlier.diskBytes);
    put(to, Figure.GC_COUNT, heap.collectionsSince(earlier.heap));
    put(to, Figure.GC_NS, heap.collectingNsSince(earlier.heap));
  }

  /**
   * Replaces the figures of processor time by those of all threads, also of those that have ended
   * since the earlier reading.
   */
  void processorSince(Reading earlier, Map<Figure, Double> to) {
    List<TaskReading.Task> used = tasks.since(earlier.tasks);
    long callersNs = TaskReading.cpuNs(used, TaskReading.Task::logs);
    put(to, Figure.CALLER_CPU_NS, callersNs);
    put(to, Figure.OTHER_CPU_NS, processCpuNs - earlier.processCpuNs - callersNs);
    put(to, Figure.JVM_CPU_NS, TaskReading.cpuNs(used, TaskReading.Task::isOfJvm));
  }

  private static void put(Map<Figure, Double> to, Figure figure, long value) {
    to.put(figure, (double) value);
  }

  private static boolean contains(long[] ids, long id) {
    return Arrays.stream(ids).anyMatch(each -> each == id);
  }
}
