package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class MemoryLimitTest {

  private static final String NO_LIMIT_V1 = "9223372036854771712";

  @TempDir private Path directory;

  private OptionalLong limit(String memberships) throws IOException {
    Path file = Files.writeString(directory.resolve("memberships"), memberships);
    return MemoryLimit.bytes(directory.resolve("groups"), file);
  }

  private void group(String file, String bytes) throws IOException {
    Path path = directory.resolve("groups").resolve(file);
    Files.createDirectories(path.resolveSibling(""));
    Files.writeString(path, bytes + "\n");
  }

  @Test
  void theLimitOfTheProcessesOwnGroupCountsNotThatOfTheRoot() throws IOException {
    group("memory/memory.limit_in_bytes", NO_LIMIT_V1);
    group("memory/app/memory.limit_in_bytes", "268435456");
    group("app.slice/app.service/memory.max", "1000");

    assertThat(limit("5:cpu:/other\n4:memory:/app\n0::/\n")).hasValue(268435456);
    assertThat(limit("4:memory:/another\n")).isEmpty();
    assertThat(limit("0::/app.slice/app.service\n")).as("version 2").hasValue(1000);
  }

  @Test
  void aGroupAroundTheOwnOneMayHaveTheLowerLimit() throws IOException {
    group("app.slice/memory.max", "100");
    group("app.slice/app.service/memory.max", "max");
    group("memory/pods/memory.limit_in_bytes", "90");
    group("memory/pods/one/memory.limit_in_bytes", "200");

    assertThat(limit("0::/app.slice/app.service\n")).hasValue(100);
    assertThat(limit("3:cpuset,memory:/pods/one\n")).hasValue(90);
  }

  @Test
  void withinAContainerTheRootHoldsTheLimitWhateverTheGroupIsCalled() throws IOException {
    group("memory.max", "300");
    assertThat(limit("0::/\n")).hasValue(300);
    assertThat(limit("0::/../../kubepods/pod1\n")).hasValue(300);

    group("memory/memory.limit_in_bytes", "200");
    assertThat(limit("4:memory:/docker/0123456789\n")).hasValue(200);
  }

  @Test
  void aGroupThatIsSlowedDownEarlierHasThatLimit() throws IOException {
    group("app.slice/app.service/memory.max", "1000");
    group("app.slice/app.service/memory.high", "800");
    group("app.slice/memory.high", "max");
    assertThat(limit("0::/app.slice/app.service\n")).hasValue(800);

    group("memory.high", "700");
    assertThat(limit("0::/\n")).as("in a container").hasValue(700);
  }

  @Test
  void withoutGroupsThereIsNoLimit() throws IOException {
    assertThat(limit("")).isEmpty();
    assertThat(limit("nonsense\n")).isEmpty();
    assertThat(MemoryLimit.bytes(directory, directory.resolve("missing"))).isEmpty();
  }
}
