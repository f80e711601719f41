package dev.forebay.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Collector;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import dev.forebay.benchmarks.lab.report.Verdict.Rival;
import dev.forebay.benchmarks.lab.report.Verdict.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class JvmReportTest {

  private final List<JvmMeasurement> made = new ArrayList<>();

  private void run(Experiment experiment, Fault fault, LogWay way, Map<JvmFigure, Double> figures) {
    JvmRun run = new JvmRun(experiment, 17, Collector.G1, fault, way, made.size());
    made.add(new JvmMeasurement(run, figures, null));
  }

  private void frozen(LogWay way, JvmFigure figure, double ms) {
    run(Experiment.ALLOCATION, Fault.FROZEN_DISK, way, Map.of(figure, ms * 1e6));
  }

  private Verdict verdict(JvmFigure figure, String base) {
    return new JvmRuns(made)
        .verdicts().stream()
            .filter(of -> of.measure().equals(figure.name()) && of.base().equals(base))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void theLongestPauseIsComparedWithAFileOnTheDiskAndWithNoLog() {
    JvmFigure longest = JvmFigure.LONGEST_IN_FAULT_NS;
    frozen(LogWay.NONE, longest, 20);
    frozen(LogWay.NONE, longest, 20);
    frozen(LogWay.SYNC, longest, 4_000);
    frozen(LogWay.TMPFS, longest, 22);
    frozen(LogWay.FOREBAY, longest, 30);

    Verdict sync = verdict(longest, "file on the disk");
    assertThat(sync.in()).isEqualTo("allocation, JDK 17, g1, frozen");
    assertThat(sync.value()).isEqualTo(new Spread(0.0075, 0.0075, 0.0075, 1));
    assertThat(sync.state()).isEqualTo(State.MET);
    Verdict none = verdict(longest, "no log");
    assertThat(none.limit()).isEqualTo(1.2);
    assertThat(none.value()).extracting(Spread::median).isEqualTo(1.5);
    assertThat(none.state()).isEqualTo(State.MISSED);
    assertThat(none.others()).contains(new Rival("file on tmpfs", 1.1));
  }

  /** As with ZGC, whose concurrent threads write. */
  @Test
  void withoutASafepointTheProgramIsJudgedAndTheRestSaysWhyNot() {
    frozen(LogWay.NONE, JvmFigure.HELD_UP_NS, 1_000);
    frozen(LogWay.SYNC, JvmFigure.HELD_UP_NS, 4_000);
    frozen(LogWay.FOREBAY, JvmFigure.HELD_UP_NS, 2_000);

    assertThat(verdict(JvmFigure.HELD_UP_NS, "file on the disk").state()).isEqualTo(State.MISSED);
    assertThat(verdict(JvmFigure.HELD_UP_NS, "no log").why())
        .isEqualTo("one repetition without a log shows no spread");
    assertThat(verdict(JvmFigure.LONGEST_IN_FAULT_NS, "no log").why())
        .isEqualTo("frozen: no log has no such figure");
    assertThat(verdict(JvmFigure.EXIT_NS, ""))
        .extracting(Verdict::in, Verdict::why, Verdict::state)
        .containsExactly("exit, frozen", "it was not run", State.NOT_JUDGED);
  }

  @Test
  void aDiskThatStopsNobodyProvesNothing() {
    frozen(LogWay.SYNC, JvmFigure.HELD_UP_NS, 200);
    frozen(LogWay.FOREBAY, JvmFigure.HELD_UP_NS, 30);

    Verdict verdict = verdict(JvmFigure.HELD_UP_NS, "file on the disk");
    assertThat(verdict.state()).isEqualTo(State.NOT_JUDGED);
    assertThat(verdict.why()).contains("less than 250 ms");
  }

  @Test
  void anExitWhileFrozenIsComparedWithOneOnAHealthyDisk() {
    JvmFigure exit = JvmFigure.EXIT_NS;
    run(Experiment.EXIT, Fault.FROZEN_DISK, LogWay.FOREBAY, Map.of(exit, 3e8));
    assertThat(verdict(exit, "the same on a healthy disk").why())
        .isEqualTo("healthy: Forebay's agent was not run");
    run(Experiment.EXIT, Fault.NONE, LogWay.FOREBAY, Map.of(exit, 1e8));
    assertThat(verdict(exit, "the same on a healthy disk"))
        .extracting(of -> of.value() == null ? 0 : of.value().median(), Verdict::state)
        .containsExactly(3.0, State.MISSED);
  }

  @Test
  void bytesThatAVoidRunLostCountToo() {
    JvmRun run = new JvmRun(Experiment.EXIT, 17, Collector.G1, Fault.NONE, LogWay.FOREBAY, 1);
    made.add(new JvmMeasurement(run, Map.of(JvmFigure.LOST_BYTES, 7.0), "lost"));

    assertThat(verdict(JvmFigure.LOST_BYTES, "").state()).isEqualTo(State.MISSED);
  }

  @Test
  void aLineCostsWhatThePausesAreLongerThanWithoutALog() {
    run(
        Experiment.STORM,
        Fault.NONE,
        LogWay.NONE,
        Map.of(JvmFigure.SAFEPOINTS, 100.0, JvmFigure.SUM_NS, 100e6));
    run(
        Experiment.STORM,
        Fault.NONE,
        LogWay.FOREBAY,
        Map.of(JvmFigure.SAFEPOINTS, 100.0, JvmFigure.SUM_NS, 120e6, JvmFigure.LINES, 5_000.0));

    List<Section.Run> runs = new JvmRuns(made).sections().get(0).runs();
    assertThat(runs.get(0).values().containsKey("LINE_NS")).isFalse();
    assertThat(runs.get(1).names()).containsExactly("Forebay's agent", "17", "g1", "healthy");
    assertThat(runs.get(1).values().get("LINE_NS")).isEqualTo(4_000.0);
  }
}
