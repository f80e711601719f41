package dev.forebay.benchmarks.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class SafepointLogTest {

  private static final long ORIGIN_NS = 10_000_000_000L;

  @TempDir private Path directory;

  private Map<JvmFigure, Double> figures(long fromMs, long toMs, String... lines)
      throws IOException {
    Path file = Files.write(directory.resolve("safepoints.log"), List.of(lines));
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmFigure.class);
    SafepointLog.figures(file, ORIGIN_NS, fromMs, toMs, figures);
    return figures;
  }

  /** As JDK 17 writes it; 25 has more in between. */
  private static String line(long endMs, long lengthMs) {
    return "[%dns] Safepoint \"G1CollectForAllocation\", Time since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 3 ns, Total: %d ns"
        .formatted(ORIGIN_NS + endMs * 1_000_000, lengthMs * 1_000_000);
  }

  @Test
  void countsSafepointsOfTheMeasuredTimeAndTheLongOnes() throws IOException {
    Map<JvmFigure, Double> figures =
        figures(-1, -1, line(-5, 900), line(20, 10), line(900, 251), line(950, 250), "[1ns] else");

    assertThat(figures)
        .containsEntry(JvmFigure.SAFEPOINTS, 3.0)
        .containsEntry(JvmFigure.LONG_SAFEPOINTS, 1.0)
        .containsEntry(JvmFigure.LONGEST_NS, 251e6)
        .containsEntry(JvmFigure.MEDIAN_NS, 250e6)
        .containsEntry(JvmFigure.SUM_NS, 511e6)
        .doesNotContainKey(JvmFigure.LONGEST_IN_FAULT_NS);
  }

  @Test
  void aSafepointThatBeganInTheFaultBelongsToItHoweverLateItEnded() throws IOException {
    assertThat(figures(100, 200, line(99, 50), line(400, 210), line(900, 600)))
        .containsEntry(JvmFigure.LONGEST_IN_FAULT_NS, 210e6);
    assertThat(figures(100, 200, line(99, 50), line(900, 650)))
        .containsEntry(JvmFigure.LONGEST_IN_FAULT_NS, 0.0);
  }

  @Test
  void countsLinesOfTheMeasuredTimeAndAllThatTheJvmSaysItDropped() throws IOException {
    Path log =
        Files.write(
            directory.resolve("jvm.log"),
            List.of(
                "[9ns] 1", "[9ns]    37 messages dropped due to async logging", "[10ns] 2", "3"));
    Map<JvmFigure, Double> figures = new EnumMap<>(JvmFigure.class);

    SafepointLog.dropped(log, 10, figures);

    assertThat(figures).containsEntry(JvmFigure.DROPPED, 37.0).containsEntry(JvmFigure.LINES, 2.0);
  }
}
