package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Scenario.Fault;
import dev.forebay.benchmarks.lab.jvm.Collector;
import dev.forebay.benchmarks.lab.jvm.Experiment;
import dev.forebay.benchmarks.lab.jvm.JvmMeasurement;
import dev.forebay.benchmarks.lab.jvm.JvmRun;
import dev.forebay.benchmarks.lab.jvm.LogPlaces;
import dev.forebay.benchmarks.lab.jvm.LogWay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
final class JvmEvaluationTest {

  private static final Disturbance.Window WINDOW = new Disturbance.Window(0, 18_000);

  @TempDir Path directory;

  /** Of one safepoint, and a program that was held up, both in milliseconds. */
  private JvmMeasurement measured(LogWay way, int pauseMs, int heldUpMs) throws IOException {
    LogPlaces places = new LogPlaces(directory, directory, directory.resolve("agent.jar"));
    Files.write(
        places.figures(), List.of("ORIGIN_NS=0", "HELD_UP_NS=%d000000".formatted(heldUpMs)));
    Files.writeString(
        places.safepoints(), "[5000ns] Safepoint \"A\", Total: %d000000 ns\n".formatted(pauseMs));
    JvmRun run = new JvmRun(Experiment.LINKEDIN, 17, Collector.Z, Fault.SATURATED_DISK, way, 1);
    return new JvmEvaluation(run, places, WINDOW).endedAt(0);
  }

  @Test
  void aSaturatedDiskThatHoldsUpNobodyIsNone() throws IOException {
    assertThat(measured(LogWay.SYNC, 250, 30).voidBecause())
        .isEqualTo("the saturated disk stopped nobody for more than 250 ms");
    assertThat(measured(LogWay.TMPFS, 250, 30).voidBecause()).isNull();
  }

  @Test
  void aLongPauseShowsThatTheDiskWasSaturatedAndSoDoesAProgramThatWaits() throws IOException {
    assertThat(measured(LogWay.SYNC, 251, 30).voidBecause()).isNull();
    assertThat(measured(LogWay.SYNC, 1, 251).voidBecause()).isNull();
  }
}
