package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Collector;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import dev.forebay.benchmarks.lab.report.JvmResults.Measure;
import dev.forebay.host.Slowness;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What the page shows of the JVM's own log: a section each experiment. */
final class JvmSections {

  private record Column(String head, Measure measure, Unit unit) {
    static Column of(String head, JvmFigure figure, Unit unit) {
      return new Column(head, JvmResults.figure(figure), unit);
    }
  }

  private static final List<String> KEYS = List.of("JDK", "collector", "disk", "log");

  private JvmSections() {}

  /** Those that have a run. */
  static List<Section> of(JvmResults results) {
    return Stream.of(
            helloWorld(results),
            safepoints(results),
            linkedIn(results),
            hiccups(results),
            PauseCost.section(results),
            idle(results),
            exit(results))
        .filter(section -> !section.tables().get(0).rows().isEmpty())
        .toList();
  }

  private static Section helloWorld(JvmResults results) {
    return of(
        results,
        Experiment.HELLO_WORLD,
        "Hello World, everything in the log",
        "-Xlog:all=trace; ten processes a repetition: the median of their times, the mean of the"
            + " rest. Forebay's agent starts before the program and also logs itself; what one process"
            + " leaves in memory the next one carries, and is charged with.",
        Column.of("wall", JvmFigure.WALL_NS, Unit.TIME),
        Column.of("CPU", JvmFigure.CPU_NS, Unit.TIME),
        Column.of("switches, voluntary", JvmFigure.VOLUNTARY_SWITCHES, Unit.COUNT),
        Column.of("switches, involuntary", JvmFigure.INVOLUNTARY_SWITCHES, Unit.COUNT),
        Column.of("lines", JvmFigure.LINES, Unit.COUNT),
        Column.of("messages dropped", JvmFigure.DROPPED, Unit.COUNT));
  }

  private static Section safepoints(JvmResults results) {
    return of(
        results,
        Experiment.ALLOCATION,
        "Safepoints of an allocating JVM",
        "512 MB/s, 64 MB of them live, a heap of 1 GB; -Xlog:gc*=debug. The disk is well, frozen"
            + " from second 2 to 7 of 9, or throttled beside a process that writes and forces what"
            + " it wrote. Lengths are the totals that a second log, on tmpfs, has of each"
            + " safepoint; held up is the longest time in which the program itself got nowhere."
            + " With Forebay the JVM writes all its lines to yet another file on tmpfs, which the"
            + " log is compared with, byte by byte, once the dead JVM's spool is in it.",
        Column.of("safepoints", JvmFigure.SAFEPOINTS, Unit.COUNT),
        Column.of("> 250 ms", JvmFigure.LONG_SAFEPOINTS, Unit.COUNT),
        Column.of("longest", JvmFigure.LONGEST_NS, Unit.TIME),
        Column.of("longest in the freeze", JvmFigure.LONGEST_IN_FAULT_NS, Unit.TIME),
        Column.of("sum", JvmFigure.SUM_NS, Unit.TIME),
        Column.of("held up", JvmFigure.HELD_UP_NS, Unit.TIME),
        Column.of("lines", JvmFigure.LINES, Unit.COUNT),
        Column.of("messages dropped", JvmFigure.DROPPED, Unit.COUNT),
        Column.of("bytes lost", JvmFigure.LOST_BYTES, Unit.COUNT));
  }

  private static Section linkedIn(JvmResults results) {
    return of(
        results,
        Experiment.LINKEDIN,
        "Safepoints beside heavy background writes",
        "The same program for 18 s, on a disk that "
            + Slowness.SATURATED.description()
            + ", beside two threads of a process that write all the time and force what they wrote. A run with a file on the"
            + " disk is void unless something waits for more than 250 ms.",
        Column.of("safepoints", JvmFigure.SAFEPOINTS, Unit.COUNT),
        Column.of("> 250 ms", JvmFigure.LONG_SAFEPOINTS, Unit.COUNT),
        Column.of("longest", JvmFigure.LONGEST_NS, Unit.TIME),
        Column.of("sum", JvmFigure.SUM_NS, Unit.TIME),
        Column.of("held up", JvmFigure.HELD_UP_NS, Unit.TIME),
        Column.of("lines", JvmFigure.LINES, Unit.COUNT),
        Column.of("messages dropped", JvmFigure.DROPPED, Unit.COUNT),
        Column.of("bytes lost", JvmFigure.LOST_BYTES, Unit.COUNT));
  }

  private static Section hiccups(JvmResults results) {
    return of(
        results,
        Experiment.ALLOCATION,
        "Hiccups in the same runs",
        "Pauses of all threads as a request each millisecond would have met them, found by"
            + " LatencyUtils, since neither jHiccup nor HyperAlloc is in Maven Central.",
        Column.of("p99.9", JvmFigure.HICCUP_P999_NS, Unit.TIME),
        Column.of("p99.99", JvmFigure.HICCUP_P9999_NS, Unit.TIME),
        Column.of("longest", JvmFigure.HICCUP_MAX_NS, Unit.TIME));
  }

  private static Section idle(JvmResults results) {
    return of(
        results,
        Experiment.IDLE,
        "A JVM that does nothing",
        "Ten seconds, nine after the start, a second's mean; -Xlog:gc*,safepoint, at which an idle"
            + " JVM writes next to nothing.",
        Column.of("switches, voluntary", JvmFigure.IDLE_SWITCHES, Unit.PER_SECOND),
        Column.of("without the JVM's own threads", JvmFigure.IDLE_OTHER_SWITCHES, Unit.PER_SECOND),
        Column.of("CPU", JvmFigure.IDLE_CPU_NS, Unit.TIME));
  }

  private static Section exit(JvmResults results) {
    return of(
        results,
        Experiment.EXIT,
        "Exit",
        "From System.exit to the end of the process; where the disk is frozen, it stays so for"
            + " another 2.2 s.",
        Column.of("exit", JvmFigure.EXIT_NS, Unit.TIME),
        Column.of("bytes lost", JvmFigure.LOST_BYTES, Unit.COUNT));
  }

  private static Section of(
      JvmResults results, Experiment experiment, String title, String how, Column... columns) {
    List<String> heads = new ArrayList<>(KEYS);
    Stream.of(columns).map(Column::head).forEach(heads::add);
    heads.add("void");
    List<List<String>> rows = new ArrayList<>();
    for (JvmRun run : results.compared(one -> one.experiment() == experiment)) {
      for (LogWay way : results.ways()) {
        if (results.has(run, way)) {
          rows.add(row(results, run, way, columns));
        }
      }
    }
    return section(title, how, heads, rows);
  }

  private static List<String> row(JvmResults results, JvmRun run, LogWay way, Column... columns) {
    List<String> cells = new ArrayList<>();
    cells.add(Integer.toString(run.jdk()));
    cells.add(name(run.collector()));
    cells.add(JvmRun.id(run.fault()));
    cells.add(way.label());
    for (Column column : columns) {
      cells.add(column.unit().spread(results.spread(run, way, column.measure())));
    }
    cells.add(results.voids(run, way));
    return cells;
  }

  static String name(Collector collector) {
    return switch (collector) {
      case G1 -> "G1";
      case PARALLEL -> "Parallel";
      case Z -> "ZGC";
    };
  }

  /** Whether a fault makes a disk that stops who writes to it. */
  static boolean isFrozen(JvmRun run) {
    return run.fault() == Fault.FROZEN_DISK;
  }

  static Section section(String title, String how, List<String> heads, List<List<String>> rows) {
    String id = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-");
    return new Section(
        id, title, List.of(how), List.of(), List.of(new Table("", heads, rows)), false);
  }
}
