package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import dev.forebay.benchmarks.lab.jvm.SafepointLog;
import dev.forebay.benchmarks.lab.report.Section.Run;
import dev.forebay.benchmarks.lab.report.Verdict.Bound;
import dev.forebay.benchmarks.lab.report.Verdict.Rival;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All runs of {@code lab jvm}: a section for each experiment, and what is expected of ours. */
record JvmRuns(List<JvmMeasurement> all) {

  private static final double OF_SYNC = 0.25;

  /** Or the longest of its repetitions, of which there must be two. */
  private static final double OF_NONE = 1.2;

  private static final double OF_HEALTHY_EXIT = 2;

  /** What stops a program that logs to the disk. */
  private static final List<Fault> STOPPING = List.of(Fault.FROZEN_DISK, Fault.SATURATED_DISK);

  private static final LogWay NONE = LogWay.NONE;

  List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    for (Experiment experiment : Experiment.values()) {
      Stream<JvmMeasurement> its = all.stream().filter(one -> one.run().experiment() == experiment);
      List<Run> runs = its.map(this::run).toList();
      if (!runs.isEmpty()) {
        List<String> keys = List.of("log", "JDK", "collector", "disk");
        sections.add(new Section(experiment.id(), "", "", keys, runs, List.of()));
      }
    }
    return sections;
  }

  private Run run(JvmMeasurement one) {
    JvmRun run = one.run();
    String jdk = Integer.toString(run.jdk());
    List<String> names =
        List.of(run.way().label(), jdk, run.collector().id(), JvmRun.id(run.fault()));
    return new Run(names, run.way().isOurs(), one.voidBecause(), values(one));
  }

  /** Of many pauses also what a line costs: what the mean is longer than without a log. */
  private Map<String, Double> values(JvmMeasurement one) {
    Map<String, Double> values = new TreeMap<>();
    one.figures().forEach((figure, value) -> values.put(figure.name(), value));
    if (one.run().experiment() == Experiment.STORM) {
      double lines = figure(one, JvmFigure.LINES) / figure(one, JvmFigure.SAFEPOINTS);
      Spread none = of(one.run().comparable(), LogWay.NONE).spread(JvmRuns::meanNs);
      values.put("MEAN_NS", meanNs(one));
      values.put("LINES_EACH", lines);
      values.put("LINE_NS", none == null ? Double.NaN : (meanNs(one) - none.median()) / lines);
    }
    values.values().removeIf(value -> !Double.isFinite(value));
    return values;
  }

  private static double meanNs(JvmMeasurement run) {
    return figure(run, JvmFigure.SUM_NS) / figure(run, JvmFigure.SAFEPOINTS);
  }

  /** Of each JDK and collector; for what was not run, one that says so. */
  List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    for (Experiment experiment : Experiment.values()) {
      for (Fault fault : STOPPING) {
        List<JvmRun> stopped =
            all.stream()
                .map(one -> one.run().comparable())
                .filter(run -> run.experiment() == experiment && run.fault() == fault)
                .distinct()
                .toList();
        stopped.forEach(run -> verdicts.addAll(verdicts(run)));
        if (stopped.isEmpty() && experiment.faults().contains(fault)) {
          boolean leaves = experiment == Experiment.EXIT;
          JvmFigure stop = leaves ? JvmFigure.EXIT_NS : JvmFigure.LONGEST_IN_FAULT_NS;
          String in = experiment.id() + ", " + JvmRun.id(fault);
          verdicts.add(verdict(in, stop, "", null, null, "it was not run", List.of()));
        }
      }
    }
    verdicts.add(lost());
    return verdicts;
  }

  private List<Verdict> verdicts(JvmRun run) {
    if (run.experiment() == Experiment.EXIT) {
      JvmRun well = new JvmRun(run.experiment(), run.jdk(), run.collector(), Fault.NONE, NONE, 0);
      return List.of(ratio(run, JvmFigure.EXIT_NS, well, LogWay.FOREBAY));
    }
    // With ZGC it is the program that is held up, and no safepoint need fall into the fault.
    return Stream.of(JvmFigure.LONGEST_IN_FAULT_NS, JvmFigure.HELD_UP_NS)
        .flatMap(stop -> Stream.of(ratio(run, stop, run, LogWay.SYNC), ratio(run, stop, run, NONE)))
        .toList();
  }

  private Group<JvmMeasurement> of(JvmRun compared, LogWay way) {
    return new Group<>(
        way.label(),
        all.stream()
            .filter(one -> one.run().way() == way && one.run().comparable().equals(compared))
            .toList());
  }

  private static double figure(JvmMeasurement run, JvmFigure figure) {
    return run.figure(figure).orElse(Double.NaN);
  }

  /** Of ours and of all others that have a log, over a way in the same run or on another disk. */
  private Verdict ratio(JvmRun run, JvmFigure figure, JvmRun baseRun, LogWay baseWay) {
    ToDoubleFunction<JvmMeasurement> measure = one -> figure(one, figure);
    Group<JvmMeasurement> base = of(baseRun, baseWay);
    Spread floor = base.spread(measure);
    Spread ours = of(run, LogWay.FOREBAY).spread(measure);
    String why = of(run, LogWay.FOREBAY).lack(measure);
    double limit = baseWay == LogWay.SYNC ? OF_SYNC : OF_HEALTHY_EXIT;
    if (floor == null) {
      why = JvmRun.id(baseRun.fault()) + ": " + base.lack(measure);
    } else if (baseWay == LogWay.SYNC && floor.median() < SafepointLog.LONG_NS) {
      why = "a file on this disk is held up for less than 250 ms, so the disk was well";
    } else if (baseWay == NONE) {
      limit = Math.max(OF_NONE, floor.max() / floor.median());
      why = floor.runs() > 1 ? why : "one repetition without a log shows no spread";
    }
    List<Rival> rivals = new ArrayList<>();
    for (LogWay way : LogWay.values()) {
      Spread theirs = way == NONE || way.isOurs() ? null : of(run, way).spread(measure);
      if (theirs != null && floor != null) {
        rivals.add(new Rival(way.label(), theirs.median() / floor.median()));
      }
    }
    return verdict(
        "%s, JDK %d, %s, %s"
            .formatted(
                run.experiment().id(), run.jdk(), run.collector().id(), JvmRun.id(run.fault())),
        figure,
        baseRun.equals(run) ? base.name() : "the same on a healthy disk",
        limit,
        ours == null || floor == null ? null : ours.map(ns -> ns / floor.median()),
        why,
        rivals);
  }

  /** A void run counts, too: whatever else went wrong in it, this is known. The worst is judged. */
  private Verdict lost() {
    JvmFigure figure = JvmFigure.LOST_BYTES;
    Stream<JvmMeasurement> ours = all.stream().filter(one -> one.run().way().isOurs());
    Spread lost = Spread.of(ours.mapToDouble(one -> figure(one, figure)));
    Spread worst = lost == null ? null : Spread.of(DoubleStream.of(lost.max()));
    return verdict("all", figure, "", 0.0, worst, worst == null ? "not measured" : "", List.of());
  }

  private static Verdict verdict(
      String in,
      JvmFigure figure,
      String base,
      @Nullable Double limit,
      @Nullable Spread value,
      String why,
      List<Rival> others) {
    String over = base.isEmpty() ? "" : figure.name();
    String ours = LogWay.FOREBAY.label();
    return new Verdict(
        ours, in, figure.name(), base, over, Bound.AT_MOST, limit, value, why, others);
  }
}
