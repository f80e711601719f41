package dev.forebay.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Collector;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmFigure;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class JvmReportTest {

  @TempDir private Path directory;

  private void frozen(LogWay way, int repetition, double longestMs, @Nullable String voidBecause)
      throws IOException {
    JvmRun run =
        new JvmRun(Experiment.ALLOCATION, 17, Collector.G1, Fault.FROZEN_DISK, way, repetition);
    Map<JvmFigure, Double> figures =
        Map.of(
            JvmFigure.LONGEST_IN_FAULT_NS, longestMs * 1e6,
            JvmFigure.SAFEPOINTS, 30.0,
            JvmFigure.DROPPED, 0.0);
    new JvmMeasurement(run, figures, voidBecause).write(directory);
  }

  private void healthy(Experiment experiment, LogWay way, Map<JvmFigure, Double> figures)
      throws IOException {
    JvmRun run = new JvmRun(experiment, 25, Collector.G1, Fault.NONE, way, 1);
    new JvmMeasurement(run, figures, null).write(directory);
  }

  private String written() throws IOException {
    MadeRuns.info().write(directory);
    Report.write(directory);
    assertThat(Files.readString(directory.resolve(Report.PAGE))).endsWith("</html>\n");
    return Files.readString(directory.resolve(Report.TABLES));
  }

  @Test
  void mediansOfEachWayStandBesideEachOther() throws IOException {
    for (int repetition = 1; repetition <= 3; repetition++) {
      frozen(LogWay.NONE, repetition, 20, null);
      frozen(LogWay.SYNC, repetition, 4_000 + repetition, null);
      frozen(LogWay.TMPFS, repetition, 20 + repetition, null);
    }

    assertThat(written())
        .contains("| 17 | G1 | frozen | file on tmpfs | 30 | – | – | 22.0 ms (21.0–23.0 ms) |")
        .as("only ours is judged")
        .doesNotContain("÷ file on the disk |");
  }

  @Test
  void oursIsJudgedAlsoByTheBytesThatAVoidRunLost() throws IOException {
    frozen(LogWay.NONE, 1, 20, null);
    frozen(LogWay.NONE, 2, 20, null);
    frozen(LogWay.SYNC, 1, 4_000, null);
    frozen(LogWay.FOREBAY, 1, 30, null);
    JvmRun run = new JvmRun(Experiment.EXIT, 17, Collector.G1, Fault.NONE, LogWay.FOREBAY, 1);
    new JvmMeasurement(run, Map.of(JvmFigure.LOST_BYTES, 7.0), "lost").write(directory);

    assertThat(written())
        .contains("longest pause ÷ file on the disk | 17 | G1 | frozen | ≤ 0.25 × | 0.01 × | met |")
        .contains(
            "| Forebay's agent | longest pause ÷ no log | 17 | G1 | frozen | ≤ 1.2 × | 1.50 × | missed |")
        .contains(
            "| Forebay's agent | bytes lost in a run, at most | all | all | all | ≤ 0 | 7 | missed |");
  }

  /** As with ZGC, whose concurrent threads write. */
  @Test
  void aFreezeWithoutASafepointIsJudgedByHowLongTheProgramWasHeldUp() throws IOException {
    heldUp(LogWay.NONE, 1, 1_000);
    heldUp(LogWay.SYNC, 3, 4_000);
    heldUp(LogWay.FOREBAY, 1, 2_000);

    assertThat(written())
        .contains("held up ÷ file on the disk | 17 | ZGC | frozen | ≤ 0.25 × | 0.50 × | missed |")
        .doesNotContain("longest pause ÷")
        .as("once is no spread")
        .doesNotContain("÷ no log");
  }

  private void heldUp(LogWay way, double longestMs, double heldUpMs) throws IOException {
    JvmRun run = new JvmRun(Experiment.ALLOCATION, 17, Collector.Z, Fault.FROZEN_DISK, way, 1);
    Map<JvmFigure, Double> figures =
        Map.of(
            JvmFigure.LONGEST_IN_FAULT_NS, longestMs * 1e6,
            JvmFigure.HELD_UP_NS, heldUpMs * 1e6);
    new JvmMeasurement(run, figures, null).write(directory);
  }

  @Test
  void aLineCostsWhatThePausesAreLongerThanWithoutALog() throws IOException {
    healthy(
        Experiment.STORM,
        LogWay.NONE,
        Map.of(JvmFigure.SAFEPOINTS, 100.0, JvmFigure.SUM_NS, 100e6, JvmFigure.MEDIAN_NS, 1e6));
    healthy(
        Experiment.STORM,
        LogWay.FOREBAY,
        Map.of(JvmFigure.SAFEPOINTS, 100.0, JvmFigure.SUM_NS, 120e6, JvmFigure.LINES, 5_000.0));

    assertThat(written())
        .contains("| 25 | no log | 100 | 1.00 ms | – | 1.00 ms | – | – |  |")
        .contains("| 25 | Forebay's agent | 100 | – | – | 1.20 ms | 50 | 4.00 µs |  |");
  }

  @Test
  void anIdleProcessShowsWhatWakesIt() throws IOException {
    healthy(
        Experiment.IDLE,
        LogWay.FOREBAY,
        Map.of(JvmFigure.IDLE_SWITCHES, 23.4, JvmFigure.IDLE_OTHER_SWITCHES, 1.5));

    assertThat(written()).contains("| 25 | G1 | healthy | Forebay's agent | 23 | 1.50 | – |  |");
  }

  @Test
  void aVoidRunIsInNoMedianAndSaysWhy() throws IOException {
    frozen(LogWay.SYNC, 1, 30, "the disk was frozen for 5.0 s and stopped nobody");
    frozen(LogWay.TMPFS, 1, 20, null);

    assertThat(written())
        .contains("1 of 1 void: the disk was frozen for 5.0 s and stopped nobody")
        .doesNotContain("÷ file on the disk | 17");
  }
}
