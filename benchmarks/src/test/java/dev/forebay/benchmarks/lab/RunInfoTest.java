package dev.forebay.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.RunInfo.Fact;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunInfoTest {

  @TempDir Path directory;

  @Test
  void whatWasWrittenIsReadAgain() throws Exception {
    RunInfo info =
        new RunInfo(
            Map.of(Fact.CPU, "AMD EPYC", Fact.SKIPPED, "One.\nTwo: ü = #!"),
            Map.of("log4j2-disruptor3", "log4j-core 2.26.1, disruptor 3.4.4"));

    info.write(directory);

    assertThat(RunInfo.read(directory)).isEqualTo(info);
    assertThat(RunInfo.read(directory).get(Fact.JDK)).isEmpty();
  }

  @Test
  void keysOfAnotherVersionAreLeftOut() throws Exception {
    Files.writeString(directory.resolve(RunInfo.FILE_NAME), "CPU=AMD\nCOLOUR=blue\n");

    assertThat(RunInfo.read(directory)).isEqualTo(new RunInfo(Map.of(Fact.CPU, "AMD"), Map.of()));
  }
}
