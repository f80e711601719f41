package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogPlaces;
import dev.forebay.host.Cleanup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the runs of {@code lab jvm}, each with a fresh disk and a fresh directory in memory. */
final class JvmBench {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long EXIT_FROZEN_FROM_MS = 200;
  private static final long EXIT_FROZEN_TO_MS = 3_200;

  private final JvmCommand command;
  private final Path agent;
  private final Path results;
  private final Path logs;
  private final Path memory;

  JvmBench(JvmCommand command, Path agent, Path results, Path logs, Path memory) {
    this.command = command;
    this.agent = agent;
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
    JsonLines.append(results.resolve(JvmMeasurement.FILE_NAME), measurement);
    return measurement;
  }

  private JvmMeasurement attempt(JvmRun run, Cleanup cleanup)
      throws IOException, InterruptedException {
    Path work = cleanup.own(() -> WorkDirectory.in(logs)).path();
    Path inMemory = cleanup.own(() -> WorkDirectory.in(memory)).path();
    LabDisk disk = cleanup.own(() -> Bench.diskFor(run.fault(), work));
    LogPlaces places = new LogPlaces(disk.directory(), inMemory, agent);
    if (run.experiment() == Experiment.HELLO_WORLD) {
      HelloWorlds programs = new HelloWorlds(command.silent(run, places), inMemory);
      return new JvmEvaluation(run, places, Disturbance.Window.NONE)
          .of(programs.figures(), HelloWorlds.TIMES);
    }
    Disturbance disturbance = cleanup.own(() -> disturbance(run, disk));
    Path said = results.resolve(run.toString().replace(' ', '.') + ".log");
    List<String> talking = command.talking(run, places);
    ChildProcess child = cleanup.own(() -> ChildProcess.start(talking, said, disturbance));
    boolean hasEnded = child.hasEndedWithin(LIMIT);
    long endNs = System.nanoTime();
    String failure = hasEnded ? child.failure() : "did not end within " + LIMIT.toSeconds() + " s";
    String problem = end(child, disturbance);
    if (failure != null || problem != null) {
      return new JvmMeasurement(run, Map.of(), failure == null ? problem : failure);
    }
    Files.deleteIfExists(said);
    return new JvmEvaluation(run, places, disturbance.window()).endedAt(endNs);
  }

  /** Why the fault was not as it should have been; null when it was. */
  private static @Nullable String end(ChildProcess child, Disturbance disturbance)
      throws InterruptedException {
    child.close();
    disturbance.close();
    child.bury();
    return disturbance.problem();
  }

  private static Disturbance disturbance(JvmRun run, LabDisk disk) {
    return run.experiment() == Experiment.EXIT && run.fault() == Fault.FROZEN_DISK
        ? new TimedFault(disk, EXIT_FROZEN_FROM_MS, EXIT_FROZEN_TO_MS)
        : Bench.disturbanceOf(run.fault(), disk);
  }
}
