package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.report.Section.Chart;
import dev.forebay.benchmarks.lab.report.Section.Line;
import dev.forebay.benchmarks.lab.report.Section.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** All runs of the lab: a section for each scenario. */
record LabRuns(List<Measurement> all) {

  private static final double NINES_A_STEP = 0.05;

  /** The repetitions of a peer; in all scenarios when none is given. */
  Group<Measurement> of(@Nullable Scenario scenario, Peer peer) {
    return new Group<>(
        peer.label(),
        all.stream()
            .filter(run -> run.peer() == peer && (scenario == null || run.scenario() == scenario))
            .toList());
  }

  /** Those peers that have a run. */
  List<Group<Measurement>> in(Scenario scenario) {
    return Stream.of(Peer.values())
        .map(peer -> of(scenario, peer))
        .filter(group -> !group.all().isEmpty())
        .toList();
  }

  List<Section> sections() {
    return Stream.of(Scenario.values())
        .filter(scenario -> !in(scenario).isEmpty())
        .map(this::section)
        .toList();
  }

  private Section section(Scenario scenario) {
    List<Group<Measurement>> peers = in(scenario);
    List<Chart> charts = new ArrayList<>();
    if (scenario.fault() != Fault.NONE) {
      double step = Measurement.STEP_MS / 1000.0;
      charts.add(chart(false, step, peers, peer -> middle(peer).longestNs(), fault(peers)));
    }
    charts.add(chart(true, NINES_A_STEP, peers, LabRuns::byPercentile, List.of()));
    charts.removeIf(chart -> chart.lines().isEmpty());
    return new Section(
        scenario.id(),
        scenario.description(),
        scenario.load().name(),
        List.of("appender"),
        peers.stream().flatMap(peer -> peer.all().stream()).map(LabRuns::run).toList(),
        charts);
  }

  private static Run run(Measurement run) {
    Peer peer = run.peer();
    return new Run(List.of(peer.label()), peer.isForebay(), run.voidBecause(), Measure.known(run));
  }

  private static Chart chart(
      boolean ofPercentiles,
      double step,
      List<Group<Measurement>> peers,
      Function<Group<Measurement>, List<Long>> points,
      List<Double> shaded) {
    List<Line> lines =
        peers.stream()
            .map(peer -> new Line(peer.name(), peer.isVoid(), points.apply(peer)))
            .filter(line -> line.y().stream().anyMatch(ns -> ns > 0))
            .toList();
    return new Chart(ofPercentiles, step, lines, shaded);
  }

  /** The repetition whose longest call is the middle one. */
  private static Measurement middle(Group<Measurement> peer) {
    Comparator<Measurement> byLongest = Comparator.comparing(run -> run.calls().getMaxValue());
    List<Measurement> sorted = peer.shown().stream().sorted(byLongest).toList();
    return sorted.get(sorted.size() / 2);
  }

  /** Each run has its own fault; the middle one stands for them. */
  private static List<Double> fault(List<Group<Measurement>> peers) {
    List<Measurement> runs =
        peers.stream().map(LabRuns::middle).filter(run -> run.faultFromMs() >= 0).toList();
    Spread fromMs = Spread.of(runs.stream().mapToDouble(Measurement::faultFromMs));
    Spread toMs = Spread.of(runs.stream().mapToDouble(Measurement::faultToMs));
    return fromMs == null || toMs == null
        ? List.of()
        : List.of(fromMs.median() / 1000, toMs.median() / 1000);
  }

  /** The log calls of all runs that are shown, until only the longest is left. */
  private static List<Long> byPercentile(Group<Measurement> peer) {
    Histogram calls = new Histogram(3);
    peer.shown().forEach(run -> calls.add(run.calls()));
    List<Long> points = new ArrayList<>();
    double above = 1;
    while (above * calls.getTotalCount() >= 1) {
      points.add(calls.getValueAtPercentile(100 * (1 - above)));
      above = Math.pow(10, -points.size() * NINES_A_STEP);
    }
    return points;
  }
}
