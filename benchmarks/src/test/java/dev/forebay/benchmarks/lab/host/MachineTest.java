package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MachineTest {

  @Test
  void stealAndIdleAreSharesOfAllTime() {
    ProcessorTime begin = ProcessorTime.parse("cpu  100 0 100 700 0 0 50 50 30 0");
    ProcessorTime end = ProcessorTime.parse("cpu  150 0 120 720 0 0 50 60 80 0");

    assertThat(end.stealPercentSince(begin)).isEqualTo(10);
    assertThat(end.idlePercentSince(begin)).isEqualTo(20);
    assertThat(begin.idlePercentSince(begin)).isZero();
  }

  @Test
  void versionsOfJarsAreInTheirNames() {
    assertThat(
            Versions.of(
                List.of(
                    Path.of("/x/log4j-slf4j2-impl-2.26.1.jar"),
                    Path.of("chronicle-queue-5.25ea16.jar"))))
        .isEqualTo("log4j-slf4j2-impl 2.26.1, chronicle-queue 5.25ea16");
  }

  @Test
  void versionsOfTheBenchmarksAreInTheirJars() {
    assertThat(Versions.own()).contains("logback-classic 1.", "slf4j-api 2.", "jctools-core ");
  }
}
