package dev.forebay.benchmarks.lab.jvm;

import dev.forebay.benchmarks.lab.child.TaskReading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Does nothing, until all threads of an agent are asleep and then for the measured time. */
public final class Idler {

  private static final long FALLING_ASLEEP_NS = TimeUnit.SECONDS.toNanos(9);

  private Idler() {}

  /** Takes a file for the figures and the seconds to measure. */
  public static void main(String[] args) throws IOException {
    double seconds = Double.parseDouble(args[1]);
    Host.awaitLog();
    Host.ready();
    Host.parkUntil(System.nanoTime() + FALLING_ASLEEP_NS);
    TaskReading before = TaskReading.now();
    long originNs = System.nanoTime();
    Host.measuring(originNs);
    Host.parkUntil(originNs + (long) (seconds * TimeUnit.SECONDS.toNanos(1)));
    List<TaskReading.Task> used = TaskReading.now().since(before);
    Host.measured(System.nanoTime());
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmFigure.class);
    figures.put(JvmFigure.ORIGIN_NS, (double) originNs);
    figures.put(JvmFigure.IDLE_SWITCHES, TaskReading.voluntary(used, task -> true) / seconds);
    figures.put(
        JvmFigure.IDLE_OTHER_SWITCHES,
        TaskReading.voluntary(used, task -> !task.isOfJvm()) / seconds);
    figures.put(JvmFigure.IDLE_CPU_NS, TaskReading.cpuNs(used, task -> true) / seconds);
    Host.leave(figures, Path.of(args[0]));
    Host.done();
    System.exit(0);
  }
}
