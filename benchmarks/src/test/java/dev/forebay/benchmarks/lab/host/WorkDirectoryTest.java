package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkDirectoryTest {

  @TempDir Path directory;

  @Test
  void onlyThoseOfDeadLabsAreLeftovers() throws Exception {
    // Linux gives no process an id above 2^22.
    Path dead = Files.createDirectory(directory.resolve("forebay-lab-99999999-12"));
    Files.writeString(dead.resolve("segment"), "x");
    WorkDirectory mine = WorkDirectory.in(directory);
    Path alive = Files.writeString(mine.path().resolve("c"), "d").getParent();
    Path other = Files.createDirectory(directory.resolve("forebay-0"));

    WorkDirectory.removeLeftovers(directory);

    assertThat(dead).doesNotExist();
    assertThat(alive).exists();
    assertThat(other).exists();
    mine.close();
    assertThat(alive).doesNotExist();
  }
}
