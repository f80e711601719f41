package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.JsonLines;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.host.Cleanup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one run after the other: a fresh disk and spool, a child, its fault; what is measured goes
 * into the results directory and everything else away.
 */
final class Bench {

  /** Is told about once a second that a run goes on. */
  interface Pulse {
    void beat();
  }

  private static final Duration BEAT = Duration.ofSeconds(1);
  private static final long FROZEN_FROM_MS = 2_000;
  private static final long FROZEN_TO_MS = 7_000;

  /** After the measured time, so that memory is read while the disk is frozen. */
  private static final long LONG_FREEZE_TO_MS = 35_000;

  private static final long FULL_FROM_MS = 1_000;
  private static final long FULL_TO_MS = 4_000;

  private final Launcher launcher;
  private final Path libraries;
  private final Path results;
  private final Path logs;
  private final Path spools;
  private final Duration limit;

  /** The limit is how long a run may take beyond its warm-up and its measured time. */
  Bench(Launcher launcher, Path libraries, Path results, Path logs, Path spools, Duration limit) {
    this.launcher = launcher;
    this.libraries = libraries;
    this.results = results;
    this.logs = logs;
    this.spools = spools;
    this.limit = limit;
  }

  /** Makes a run and keeps its measurement, which is void if anything went wrong. */
  Measurement make(PlannedRun run, Pulse pulse) throws IOException, InterruptedException {
    Measurement measurement;
    Cleanup cleanup = Cleanup.open();
    try {
      measurement = attempt(run, cleanup, pulse);
      cleanup.requireOpen();
    } catch (IOException e) {
      cleanup.requireOpen();
      measurement =
          Verdict.withoutResult(
              run, Disturbance.Window.NONE, "could not be run: " + e.getMessage());
    } finally {
      cleanup.closeAndReport();
    }
    JsonLines.append(results.resolve(Measurement.FILE_NAME), measurement);
    return measurement;
  }

  private Measurement attempt(PlannedRun run, Cleanup cleanup, Pulse pulse)
      throws IOException, InterruptedException {
    Path work = cleanup.own(() -> WorkDirectory.in(logs)).path();
    Path spool = cleanup.own(() -> WorkDirectory.in(spools)).path();
    LabDisk disk = cleanup.own(() -> diskFor(run.scenario().fault(), work));
    if (run.peer() == Peer.FOREBAY_APART) {
      var unused = cleanup.own(() -> Shipping.start(spool));
    }
    Disturbance disturbance = cleanup.own(() -> disturbanceOf(run.scenario().fault(), disk));
    Path result = work.resolve("result.json");
    List<String> command = new ArrayList<>(launcher.command(run.peer(), libraries));
    command.addAll(
        List.of(
            run.scenario().id(),
            run.peer().id(),
            Integer.toString(run.repetition()),
            disk.directory().toString(),
            spool.toString(),
            result.toString()));
    Path log = logOf(run);
    ChildProcess child = cleanup.own(() -> ChildProcess.start(command, log, disturbance));
    String failure = awaitEnd(run, child, pulse);
    child.close();
    // Before anything waits for the child: without its disk it cannot even be killed.
    disturbance.close();
    child.bury();
    deleteIfEmpty(log);
    if (failure != null) {
      return Verdict.withoutResult(run, disturbance.window(), failure);
    }
    return Verdict.on(
        JsonLines.parse(Files.readString(result), Measurement.class),
        disturbance.window(),
        disturbance.problem());
  }

  private @Nullable String awaitEnd(PlannedRun run, ChildProcess child, Pulse pulse)
      throws InterruptedException {
    Duration allowed = limit.plus(run.time());
    long begin = System.nanoTime();
    while (true) {
      Duration left = allowed.minusNanos(System.nanoTime() - begin);
      if (child.hasEndedWithin(left.compareTo(BEAT) < 0 ? left : BEAT)) {
        return child.failure();
      }
      if (left.compareTo(BEAT) < 0) {
        return "did not end within " + allowed.toSeconds() + " s";
      }
      pulse.beat();
    }
  }

  /** A disk that can have this fault, below a directory. */
  static LabDisk diskFor(Scenario.Fault fault, Path work) throws IOException {
    return switch (fault) {
      case NONE, BUSY_PROCESSORS -> new PlainDisk(Files.createDirectory(work.resolve("logs")));
      case FROZEN_DISK, LONG_FREEZE -> FaultyDisk.create(FaultyDisk.Kind.FREEZES, work);
      case FULL_DISK -> FaultyDisk.create(FaultyDisk.Kind.FILLS, work);
      case NOISY_NEIGHBOUR -> FaultyDisk.create(FaultyDisk.Kind.SLOW, work);
      case SATURATED_DISK -> FaultyDisk.create(FaultyDisk.Kind.SATURATED, work);
    };
  }

  /** Causes this fault. */
  static Disturbance disturbanceOf(Scenario.Fault fault, LabDisk disk) {
    return switch (fault) {
      case NONE -> new Disturbance.Nothing();
      case FROZEN_DISK -> new TimedFault(disk, FROZEN_FROM_MS, FROZEN_TO_MS);
      case LONG_FREEZE -> new TimedFault(disk, FROZEN_FROM_MS, LONG_FREEZE_TO_MS);
      case FULL_DISK -> new TimedFault(disk, FULL_FROM_MS, FULL_TO_MS);
      case NOISY_NEIGHBOUR -> NeighbourFault.writing(disk.directory().resolveSibling("neighbour"));
      case SATURATED_DISK ->
          NeighbourFault.writing(
              disk.directory().resolveSibling("neighbour-1"),
              disk.directory().resolveSibling("neighbour-2"));
      case BUSY_PROCESSORS -> NeighbourFault.computing();
    };
  }

  private Path logOf(PlannedRun run) {
    return results.resolve(run.toString().replace(' ', '.') + ".log");
  }

  private static void deleteIfEmpty(Path log) throws IOException {
    if (Files.exists(log) && Files.size(log) == 0) {
      Files.delete(log);
    }
  }
}
