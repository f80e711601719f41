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

  private String written() throws IOException {
    MadeRuns.info().write(directory);
    JvmReport.write(directory);
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
        .contains("| file on tmpfs | longest pause ÷ file on the disk | 17 | G1 | ≤ 0.25 × |")
        .contains("| 1.10 × | not judged |");
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
