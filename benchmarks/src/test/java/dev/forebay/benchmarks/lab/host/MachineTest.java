package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.child.PeerLibraries;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MachineTest {

  @Test
  void stealAndIdleAreSharesOfAllTime() {
    ProcessorTime begin = ProcessorTime.parse("cpu  100 0 100 700 0 0 50 50 30 0");
    ProcessorTime end = ProcessorTime.parse("cpu  150 0 120 720 0 0 50 60 80 0");

    assertThat(end.stealPercentSince(begin)).isEqualTo(10);
    assertThat(end.idlePercentSince(begin)).isEqualTo(20);
    assertThat(begin.idlePercentSince(begin)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "LOG4J2, log4j-core 2.26.1",
    "LOG4J2, disruptor 3.4.4",
    "LOG4J2_DISRUPTOR4, disruptor 4.0.0",
    "CHRONICLE, chronicle-queue 5.25ea16",
    "TINYLOG, tinylog-impl 2.7.0"
  })
  void versionsOfLibrariesAreInTheirJars(Peer peer, String version, @TempDir Path directory)
      throws IOException {
    assertThat(Versions.of(PeerLibraries.of(peer, directory).classPath()).split(", ", -1))
        .contains(version);
  }

  @Test
  void versionsOfTheBenchmarksAreInTheirJars() {
    assertThat(Versions.own()).contains("logback-classic 1.", "slf4j-api 2.");
  }
}
