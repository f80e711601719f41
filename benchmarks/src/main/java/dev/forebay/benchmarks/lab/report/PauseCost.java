package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a line of the log costs in a pause, while nothing is wrong with the disk. */
final class PauseCost {

  private PauseCost() {}

  static Section section(JvmResults results) {
    List<List<String>> rows = new ArrayList<>();
    for (JvmRun run : results.compared(one -> one.experiment() == Experiment.STORM)) {
      for (LogWay way : results.ways()) {
        if (results.has(run, way)) {
          rows.add(row(results, run, way));
        }
      }
    }
    return JvmSections.section(
        "Many young collections",
        "512 MB/s, next to nothing of it live, a young generation of 4 MB, G1, 5 s on a disk that"
            + " is well; -Xlog:gc*=debug. A line costs what the mean safepoint is longer than"
            + " without a log, divided by the lines of a safepoint.",
        List.of(
            "JDK",
            "log",
            "safepoints",
            "median",
            "longest",
            "mean",
            "lines a safepoint",
            "a line",
            "void"),
        rows);
  }

  private static List<String> row(JvmResults results, JvmRun run, LogWay way) {
    return List.of(
        Integer.toString(run.jdk()),
        way.label(),
        Unit.COUNT.spread(results.spread(run, way, JvmResults.figure(JvmFigure.SAFEPOINTS))),
        Unit.TIME.spread(results.spread(run, way, JvmResults.figure(JvmFigure.MEDIAN_NS))),
        Unit.TIME.spread(results.spread(run, way, JvmResults.figure(JvmFigure.LONGEST_NS))),
        Unit.TIME.spread(results.spread(run, way, PauseCost::meanNs)),
        Unit.COUNT.spread(results.spread(run, way, PauseCost::lines)),
        line(results, run, way),
        results.voids(run, way));
  }

  private static String line(JvmResults results, JvmRun run, LogWay way) {
    Optional<Spread> none = results.spread(run, LogWay.NONE, PauseCost::meanNs);
    Optional<Spread> mean = results.spread(run, way, PauseCost::meanNs);
    Optional<Spread> lines = results.spread(run, way, PauseCost::lines);
    if (none.isEmpty() || mean.isEmpty() || lines.isEmpty()) {
      return Unit.NOTHING;
    }
    return Unit.TIME.format((mean.get().median() - none.get().median()) / lines.get().median());
  }

  private static OptionalDouble meanNs(JvmMeasurement run) {
    return ofEach(run, JvmFigure.SUM_NS);
  }

  private static OptionalDouble lines(JvmMeasurement run) {
    return ofEach(run, JvmFigure.LINES);
  }

  private static OptionalDouble ofEach(JvmMeasurement run, JvmFigure all) {
    OptionalDouble value = run.figure(all);
    double safepoints = run.figure(JvmFigure.SAFEPOINTS).orElse(0);
    return value.isEmpty() || safepoints == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(value.getAsDouble() / safepoints);
  }
}
