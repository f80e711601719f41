package dev.forebay.benchmarks.lab.host;

import static dev.forebay.benchmarks.lab.jvm.JvmFigure.EXIT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.FAULT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.HELD_UP_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.LEFT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.LONGEST_IN_FAULT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.ORIGIN_NS;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import dev.forebay.benchmarks.lab.jvm.SafepointLog;
import dev.forebay.host.Cleanup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the runs of {@code lab jvm}, each with a fresh disk and a fresh directory in memory. */
final class JvmBench {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** As long as the freeze of the scenario of that name, and two seconds before and after it. */
  private static final String ALLOCATION_SECONDS = "9";

  private static final long EXIT_FROZEN_FROM_MS = 200;
  private static final long EXIT_FROZEN_TO_MS = 3_200;
  private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * Of a freeze; a file on the frozen disk that stops nobody for so long shows that it was none.
   */
  private static final double STOPPED = 0.8;

  private final Map<Integer, Path> jdks;
  private final Path results;
  private final Path logs;
  private final Path memory;

  JvmBench(Map<Integer, Path> jdks, Path results, Path logs, Path memory) {
    this.jdks = jdks;
    this.results = results;
    this.logs = logs;
    this.memory = memory;
  }

  /** Makes a run and keeps its measurement, which is void if anything went wrong. */
  JvmMeasurement make(JvmRun run) throws IOException, InterruptedException {
    JvmMeasurement measurement;
    Cleanup cleanup = Cleanup.open();
    try {
      measurement = attempt(run, cleanup);
      cleanup.requireOpen();
    } catch (IOException e) {
      cleanup.requireOpen();
      measurement = new JvmMeasurement(run, Map.of(), "could not be run: " + e.getMessage());
    } finally {
      cleanup.closeAndReport();
    }
    measurement.write(results);
    return measurement;
  }

  private JvmMeasurement attempt(JvmRun run, Cleanup cleanup)
      throws IOException, InterruptedException {
    Path work = cleanup.own(() -> WorkDirectory.in(logs)).path();
    Path inMemory = cleanup.own(() -> WorkDirectory.in(memory)).path();
    LabDisk disk = cleanup.own(() -> Bench.diskFor(run.fault(), work));
    if (run.experiment() == Experiment.HELLO_WORLD) {
      Map<JvmFigure, Double> figures =
          new HelloWorlds(command(run, disk.directory(), inMemory, List.of()), inMemory).figures();
      readLog(run, disk.directory(), inMemory, figures);
      return new JvmMeasurement(run, figures, null);
    }
    Path safepoints = inMemory.resolve("safepoints.log");
    Path left = inMemory.resolve("figures.properties");
    List<String> command =
        command(run, disk.directory(), inMemory, List.of(SafepointLog.option(safepoints)));
    command.addAll(List.of(ALLOCATION_SECONDS, left.toString()));
    Disturbance disturbance = cleanup.own(() -> disturbance(run, disk));
    Path said = results.resolve(run.toString().replace(' ', '.') + ".log");
    ChildProcess child = cleanup.own(() -> ChildProcess.start(command, said, disturbance));
    boolean hasEnded = child.hasEndedWithin(LIMIT);
    long endNs = System.nanoTime();
    String failure = hasEnded ? child.failure() : "did not end within " + LIMIT.toSeconds() + " s";
    child.close();
    disturbance.close();
    child.bury();
    Files.deleteIfExists(said);
    if (failure == null) {
      failure = disturbance.problem();
    }
    if (failure != null) {
      return new JvmMeasurement(run, Map.of(), failure);
    }
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmMeasurement.left(left));
    Disturbance.Window window = disturbance.window();
    if (window.fromMs() >= 0) {
      figures.put(FAULT_NS, (double) (window.toMs() - window.fromMs()) * NS_PER_MS);
    }
    if (run.experiment() == Experiment.EXIT) {
      figures.put(EXIT_NS, endNs - figure(figures, LEFT_NS));
    } else {
      long originNs = (long) figure(figures, ORIGIN_NS);
      SafepointLog.figures(safepoints, originNs, window.fromMs(), window.toMs(), figures);
    }
    readLog(run, disk.directory(), inMemory, figures);
    return new JvmMeasurement(run, figures, invalidity(run, window, figures));
  }

  private List<String> command(JvmRun run, Path disk, Path inMemory, List<String> more) {
    Path home = jdks.get(run.jdk());
    if (home == null) {
      throw new IllegalStateException("no JDK " + run.jdk());
    }
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("java").toString());
    command.add(run.collector().option());
    command.add("-XX:-UsePerfData"); // its file is on a disk, too
    command.addAll(run.experiment().options());
    command.addAll(run.way().options(run.experiment().what(), disk, inMemory));
    command.addAll(more);
    command.addAll(List.of("-cp", JavaCommand.ownClassPath()));
    command.add(run.experiment().program().getName());
    return command;
  }

  private static Disturbance disturbance(JvmRun run, LabDisk disk) {
    return run.experiment() == Experiment.EXIT && run.fault() == Fault.FROZEN_DISK
        ? new TimedFault(disk, EXIT_FROZEN_FROM_MS, EXIT_FROZEN_TO_MS)
        : Bench.disturbanceOf(run.fault(), disk);
  }

  private static void readLog(JvmRun run, Path disk, Path inMemory, Map<JvmFigure, Double> to)
      throws IOException {
    Path onDisk = disk.resolve(LogWay.FILE);
    Path log = Files.exists(onDisk) ? onDisk : inMemory.resolve(LogWay.FILE);
    if (run.way() != LogWay.NONE) {
      SafepointLog.dropped(log, to);
    }
  }

  /** A file on a frozen disk has to stop the program, or the freeze was none. */
  private static @Nullable String invalidity(
      JvmRun run, Disturbance.Window window, Map<JvmFigure, Double> figures) {
    if (run.way() != LogWay.SYNC || run.fault() != Fault.FROZEN_DISK) {
      return null;
    }
    double frozenNs = (double) (window.toMs() - window.fromMs()) * NS_PER_MS;
    double stoppedNs = Math.max(figure(figures, LONGEST_IN_FAULT_NS), figure(figures, HELD_UP_NS));
    if (run.experiment() == Experiment.EXIT) {
      double thawNs = figure(figures, ORIGIN_NS) + (double) window.toMs() * NS_PER_MS;
      frozenNs = thawNs - figure(figures, LEFT_NS);
      stoppedNs = figure(figures, EXIT_NS);
    }
    return stoppedNs >= STOPPED * frozenNs
        ? null
        : "the disk was frozen for %s and stopped nobody for more than %s"
            .formatted(Text.time((long) frozenNs), Text.time((long) stoppedNs));
  }

  private static double figure(Map<JvmFigure, Double> figures, JvmFigure figure) {
    return figures.getOrDefault(figure, 0.0);
  }
}
