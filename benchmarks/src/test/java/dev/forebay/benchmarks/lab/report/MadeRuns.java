package dev.forebay.benchmarks.lab.report;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.RunInfo;
import dev.forebay.benchmarks.lab.RunInfo.Fact;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Measurements that nobody measured: the same in each test. */
final class MadeRuns {

  private MadeRuns() {}

  static RunInfo info() {
    return new RunInfo(
        Map.of(
            Fact.COMMAND, "-jar benchmarks.jar lab -o <results> & more",
            Fact.BEGIN, "2026-01-02T03:04:05+00:00"),
        Map.of("logback", "logback-classic 1.5.38", "log4j2-disruptor3", "disruptor 3.4.4"));
  }

  /** A run with nothing but its calls. */
  static Measurement calls(Scenario scenario, Peer peer, int repetition, long... ns) {
    Measurement run = figures(scenario, peer, repetition, Map.of());
    for (long each : ns) {
      run.calls().recordValue(each);
    }
    return run;
  }

  /** A run with figures and no calls. */
  static Measurement figures(
      Scenario scenario, Peer peer, int repetition, Map<Figure, Double> figures) {
    return new Measurement(
        scenario, peer, repetition, figures, new Histogram(3), List.of(), -1, -1, null);
  }

  /** A run of which everything is known, with a fault in which a log call waits if there is one. */
  static Measurement of(Scenario scenario, Peer peer, int repetition) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      figures.put(figure, 1_000.0 + 10 * figure.ordinal() + peer.ordinal() + repetition);
    }
    Histogram calls = new Histogram(3);
    List<Long> longest = new ArrayList<>();
    if (scenario.load() != Scenario.Load.NONE) {
      for (int i = 1; i <= 1_000; i++) {
        calls.recordValue(100L * i);
      }
      longest.addAll(Collections.nCopies(90, 100_000L));
    }
    if (scenario.fault() == Scenario.Fault.NONE) {
      return new Measurement(scenario, peer, repetition, figures, calls, longest, -1, -1, null);
    }
    Collections.fill(longest.subList(22, 70), 0L);
    longest.set(70, 5_000_000_000L);
    return new Measurement(scenario, peer, repetition, figures, calls, longest, 2_010, 7_010, null);
  }
}
