package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FrozenDiskTest {

  @TempDir Path directory;

  private FrozenDisk disk() {
    assumeTrue(FrozenDisk.obstacle().isEmpty(), FrozenDisk.obstacle());
    try {
      return FrozenDisk.create(directory);
    } catch (IOException e) {
      return abort("no loop mounts here: " + e.getMessage());
    }
  }

  private static Void write(Path file) {
    try {
      Files.writeString(file, "a line\n");
      return null;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void holdsUpWritesUntilItResumes() throws Exception {
    try (FrozenDisk disk = disk()) {
      Path file = disk.directory().resolve("log");
      disk.sync();
      disk.stall(List.of());
      CompletableFuture<Void> writing = CompletableFuture.supplyAsync(() -> write(file));

      assertThatThrownBy(() -> writing.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      disk.resume(List.of());
      writing.get(10, TimeUnit.SECONDS);

      assertThat(file).hasContent("a line\n");
    }
    assertNothingIsLeft();
  }

  @Test
  void closesWhileItIsStalledAndLeavesNothingBehind() throws Exception {
    FrozenDisk disk = disk();
    disk.stall(List.of());
    disk.close();

    assertNothingIsLeft();
  }

  @Test
  void cannotBeStalledOnceReleased() throws Exception {
    try (FrozenDisk disk = disk()) {
      disk.stall(List.of());
      disk.release();

      write(disk.directory().resolve("log"));
      assertThatThrownBy(() -> disk.stall(List.of())).isInstanceOf(IOException.class);
    }
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries).isEmpty();
    }
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
  }
}
