package dev.forebay.benchmarks.lab.host;

import static dev.forebay.benchmarks.lab.jvm.JvmFigure.EXIT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.FAULT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.HELD_UP_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.LEFT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.LINES;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.LONGEST_IN_FAULT_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.LONGEST_NS;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.LOST_BYTES;
import static dev.forebay.benchmarks.lab.jvm.JvmFigure.ORIGIN_NS;

import dev.forebay.benchmarks.lab.jvm.CarriedLog;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogPlaces;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import dev.forebay.benchmarks.lab.jvm.SafepointLog;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolMove;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the files of a run that has ended say.
 *
 * @param window when the fault was
 */
record JvmEvaluation(JvmRun run, LogPlaces places, Disturbance.Window window) {

  private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * Of a freeze; a file on the frozen disk that stops nobody for so long shows that it was none.
   */
  private static final double STOPPED = 0.8;

  /** So many programs in a row that leave no figures. A carried log has the lines of all. */
  JvmMeasurement of(Map<JvmFigure, Double> figures, int programs) throws IOException {
    if (run.way().isOurs()) {
      carryRest();
    }
    readLog(Long.MIN_VALUE, figures);
    if (run.way().isOurs()) {
      figures.computeIfPresent(LINES, (figure, lines) -> lines / programs);
    }
    return new JvmMeasurement(run, figures, null);
  }

  /** A program that ended at a time of System.nanoTime. */
  JvmMeasurement endedAt(long endNs) throws IOException {
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmMeasurement.left(places.figures()));
    long originNs = (long) figure(figures, ORIGIN_NS);
    if (window.fromMs() >= 0) {
      figures.put(FAULT_NS, (double) (window.toMs() - window.fromMs()) * NS_PER_MS);
    }
    if (run.experiment() == Experiment.EXIT) {
      figures.put(EXIT_NS, endNs - figure(figures, LEFT_NS));
    } else {
      SafepointLog.figures(places.safepoints(), originNs, window.fromMs(), window.toMs(), figures);
    }
    String problem = carried(originNs, figures);
    readLog(originNs, figures);
    return new JvmMeasurement(run, figures, problem == null ? invalidity(figures) : problem);
  }

  private void readLog(long originNs, Map<JvmFigure, Double> to) throws IOException {
    if (run.way() != LogWay.NONE && Files.exists(places.log())) {
      SafepointLog.dropped(places.log(), originNs, to);
    }
  }

  /** A log is complete once the lines that the dead JVM left in memory are in it. */
  private @Nullable String carried(long originNs, Map<JvmFigure, Double> to) throws IOException {
    if (!run.way().isOurs()) {
      return null;
    }
    carryRest();
    boolean hasTruth = run.experiment().hasTruth();
    Path truth = hasTruth ? places.truth() : places.safepoints(); // which are in both logs
    CarriedLog log = CarriedLog.compare(places.diskLog(), truth, originNs);
    to.put(LOST_BYTES, (double) log.missingBytes());
    if (hasTruth && !log.foreign().isEmpty()) {
      return "%d lines of the log are not the JVM's, or twice: %s"
          .formatted(log.foreign().size(), log.foreign().get(0));
    }
    return log.missingBytes() > log.announcedBytes()
        ? "%d bytes are missing in the log, which speaks of %d"
            .formatted(log.missingBytes(), log.announcedBytes())
        : null;
  }

  private void carryRest() throws IOException {
    for (LogSpools spools : LogSpools.below(places.memory())) {
      SpoolMove.Moved unused = new SpoolMove(spools, places.diskLog(), System.err::println).run();
    }
  }

  /** A file on a disk that is ill has to stop the program, or the disk was none. */
  private @Nullable String invalidity(Map<JvmFigure, Double> figures) {
    if (run.way() != LogWay.SYNC) {
      return null;
    }
    return switch (run.fault()) {
      case FROZEN_DISK -> afterFreeze(figures);
      case SATURATED_DISK -> afterSaturation(figures);
      default -> null;
    };
  }

  private static @Nullable String afterSaturation(Map<JvmFigure, Double> figures) {
    double stoppedNs = Math.max(figure(figures, LONGEST_NS), figure(figures, HELD_UP_NS));
    return stoppedNs > SafepointLog.LONG_NS
        ? null
        : "the saturated disk stopped nobody for more than " + Text.time((long) stoppedNs);
  }

  private @Nullable String afterFreeze(Map<JvmFigure, Double> figures) {
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
