package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import dev.forebay.benchmarks.lab.jvm.SafepointLog;
import dev.forebay.benchmarks.lab.report.JvmResults.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What is expected of our way of the JVM's log. */
final class JvmBudgets {

  private static final String MET = "met";
  private static final double OF_SYNC = 0.25;
  private static final double OF_NONE = 1.2;
  private static final double OF_HEALTHY_EXIT = 2;

  /** A disk that does not hold up a file on it for so long says nothing about others. */
  private static final double LONG_NS = SafepointLog.LONG_NS;

  /** With ZGC it is the program that a frozen disk holds up, and no safepoint need fall into it. */
  private static final Map<String, JvmFigure> STOPS =
      new TreeMap<>(
          Map.of("longest pause", JvmFigure.LONGEST_IN_FAULT_NS, "held up", JvmFigure.HELD_UP_NS));

  private JvmBudgets() {}

  /** One sentence. */
  static String verdict(JvmResults results) {
    List<List<String>> rows = rows(results);
    long met = rows.stream().filter(row -> row.get(row.size() - 1).equals(MET)).count();
    return rows.isEmpty()
        ? "No budget of Forebay was measured in this run."
        : "Forebay meets %d of the %d budgets that were measured in this run."
            .formatted(met, rows.size());
  }

  private static List<List<String>> rows(JvmResults results) {
    List<List<String>> rows = new ArrayList<>();
    for (LogWay way : results.ways()) {
      if (way.isOurs()) {
        stalled(results, way, rows);
        exit(results, way, rows);
        lost(results, way, rows);
      }
    }
    return rows;
  }

  static Section section(JvmResults results) {
    return JvmSections.section(
        "Budgets",
        "Medians. While the disk is frozen or saturated the longest safepoint may take a quarter of that with a"
            + " file on the disk, and no more than 1.2 times that with no log at all, or than the"
            + " longest of its repetitions, of which there must be two. So may the longest time in"
            + " which the program itself got nowhere.",
        List.of("log", "budget", "JDK", "collector", "disk", "limit", "measured", "verdict"),
        rows(results));
  }

  private static boolean isStalled(JvmRun run) {
    return run.fault() == Fault.SATURATED_DISK
        || run.experiment() == Experiment.ALLOCATION && JvmSections.isFrozen(run);
  }

  private static void stalled(JvmResults results, LogWay way, List<List<String>> rows) {
    for (JvmRun run : results.compared(JvmBudgets::isStalled)) {
      for (Map.Entry<String, JvmFigure> what : STOPS.entrySet()) {
        Measure measure = JvmResults.figure(what.getValue());
        Optional<Spread> ours = results.spread(run, way, measure);
        Optional<Spread> sync =
            results.spread(run, LogWay.SYNC, measure).filter(all -> all.median() >= LONG_NS);
        Optional<Spread> none =
            results.spread(run, LogWay.NONE, measure).filter(all -> all.runs() > 1);
        if (ours.isPresent() && sync.isPresent()) {
          double times = ours.get().median() / sync.get().median();
          rows.add(row(way, what.getKey() + " ÷ file on the disk", run, OF_SYNC, times));
        }
        if (ours.isPresent() && none.isPresent()) {
          double limit = Math.max(OF_NONE, none.get().max() / none.get().median());
          double times = ours.get().median() / none.get().median();
          rows.add(row(way, what.getKey() + " ÷ no log", run, limit, times));
        }
      }
    }
  }

  /** A void run counts, too: whatever else went wrong in it, this is known. */
  private static void lost(JvmResults results, LogWay way, List<List<String>> rows) {
    Spread.of(
            results.measurements().stream()
                .filter(one -> one.run().way() == way)
                .map(one -> one.figure(JvmFigure.LOST_BYTES))
                .flatMapToDouble(OptionalDouble::stream))
        .ifPresent(
            lost ->
                rows.add(
                    List.of(
                        way.label(),
                        "bytes lost in a run, at most",
                        "all",
                        "all",
                        "all",
                        "≤ 0",
                        Unit.COUNT.format(lost.max()),
                        verdict(lost.max() <= 0))));
  }

  private static void exit(JvmResults results, LogWay way, List<List<String>> rows) {
    for (JvmRun run :
        results.compared(one -> one.experiment() == Experiment.EXIT && JvmSections.isFrozen(one))) {
      JvmRun healthy =
          new JvmRun(
              run.experiment(),
              run.jdk(),
              run.collector(),
              Fault.NONE,
              run.way(),
              run.repetition());
      Optional<Spread> frozen = exit(results, run, way);
      Optional<Spread> well = exit(results, healthy, way);
      if (frozen.isPresent() && well.isPresent()) {
        double times = frozen.get().median() / well.get().median();
        rows.add(row(way, "exit while frozen ÷ healthy", run, OF_HEALTHY_EXIT, times));
      }
    }
  }

  private static Optional<Spread> exit(JvmResults results, JvmRun run, LogWay way) {
    return results.spread(run, way, JvmResults.figure(JvmFigure.EXIT_NS));
  }

  private static List<String> row(LogWay way, String what, JvmRun run, double limit, double times) {
    return List.of(
        way.label(),
        what,
        Integer.toString(run.jdk()),
        JvmSections.name(run.collector()),
        JvmRun.id(run.fault()),
        "≤ " + Unit.TIMES.brief(limit),
        Unit.TIMES.format(times),
        verdict(times <= limit));
  }

  private static String verdict(boolean isMet) {
    return isMet ? MET : "missed";
  }
}
