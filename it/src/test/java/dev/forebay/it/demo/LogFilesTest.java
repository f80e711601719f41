package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {

  @TempDir Path directory;

  private void file(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }

  @Test
  void countsTheLinesOfAllFiles() throws IOException {
    file("a.json", "{\"n\":1}\n{\"n\":{\"m\":[2]}}\n");
    file("a-1.json", "{}\n");
    file("empty.json", "");

    assertThat(LogFiles.read(directory)).isEqualTo(new LogFiles(3, 3, 0, ""));
  }

  @Test
  void noticesALineWithoutEnd() throws IOException {
    file("a.json", "{\"n\":1}\n{\"n\":2}");

    assertThat(LogFiles.read(directory))
        .isEqualTo(new LogFiles(1, 2, 1, "a.json line 2: {\"n\":2}"));
  }

  @Test
  void noticesLinesThatAreTornOrRunTogetherOrNoObjects() throws IOException {
    file("a.json", "{\"n\":1\n{\"n\":1}{\"n\":2}\n\n17\n{\"n\":tru}\n\0\0\n{\"n\":1} \n");

    LogFiles found = LogFiles.read(directory);

    assertThat(found.lines()).isEqualTo(7);
    assertThat(found.invalid()).isEqualTo(6);
    assertThat(found.firstInvalid()).isEqualTo("a.json line 1: {\"n\":1");
  }

  @Test
  void findsNothingWhereThereIsNoDirectory() throws IOException {
    assertThat(LogFiles.read(directory.resolve("absent"))).isEqualTo(new LogFiles(0, 0, 0, ""));
  }
}
