package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class LogFilesTest {

  @TempDir private Path directory;

  @Test
  void countsLineEndsInAllFiles() throws IOException {
    Files.writeString(directory.resolve("orders.log"), "a\nb\nhalf a line");
    Files.writeString(directory.resolve("orders.1.log"), "c\n");
    Files.createDirectory(directory.resolve("archive"));
    Files.writeString(directory.resolve("archive/orders.2.log"), "x".repeat(3_000_000) + "\n");

    assertThat(LogFiles.lines(directory)).isEqualTo(4);
  }

  @Test
  void filesThatDoNotGrowAreQuietAndCanBeForced() throws IOException {
    Files.writeString(directory.resolve("orders.log"), "a\n");

    assertThatCode(
            () -> {
              LogFiles.awaitQuiet(directory, Duration.ofSeconds(30));
              LogFiles.force(directory);
            })
        .doesNotThrowAnyException();
  }
}
