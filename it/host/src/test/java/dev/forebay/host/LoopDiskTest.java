package dev.forebay.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class LoopDiskTest {

  private static final long MEGABYTES = 64;

  @TempDir Path directory;

  private LoopDisk disk() {
    assumeTrue(LoopDisk.obstacle().isEmpty(), LoopDisk.obstacle());
    try {
      return LoopDisk.create(directory, MEGABYTES, Slowness.NONE);
    } catch (IOException e) {
      return abort("no loop device: allow loop mounts (" + e.getMessage() + ")");
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
  void aFrozenDiskHoldsUpWritesUntilItIsThawed() throws Exception {
    try (LoopDisk disk = disk()) {
      Path file = disk.root().resolve("log");
      disk.sync();
      disk.freeze();
      CompletableFuture<Void> writing = CompletableFuture.supplyAsync(() -> write(file));

      assertThatThrownBy(() -> writing.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      disk.thaw();
      writing.get();

      assertThat(file).hasContent("a line\n");
    }
    assertNothingIsLeft();
  }

  @Test
  void aFullDiskTakesNoByteUntilItIsEmptied() throws Exception {
    try (LoopDisk disk = disk()) {
      Path file = disk.root().resolve("log");
      disk.fill();
      assertThatIOException().isThrownBy(() -> Files.writeString(file, "a line\n"));

      disk.empty();

      write(file);
      assertThat(file).hasContent("a line\n");
    }
    assertNothingIsLeft();
  }

  @Test
  void cannotBeFrozenOrFilledOnceReleased() throws Exception {
    try (LoopDisk disk = disk()) {
      disk.freeze();
      disk.release();

      write(disk.root().resolve("log"));
      assertThatIOException().isThrownBy(disk::freeze);
      assertThatIOException().isThrownBy(disk::fill);
    }
  }

  @Test
  void unmountsTheDiskOfARunOfWhichNothingIsAlive() throws Exception {
    LoopDisk disk = disk();
    disk.freeze();
    disk.killKeeper();
    disk.close();

    assertThat(LoopDisk.removeLeftover(directory)).isTrue();

    assertNothingIsMounted();
    assertThat(LoopDisk.removeLeftover(directory)).isFalse();
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      assertThat(entries).isEmpty();
    }
    assertNothingIsMounted();
  }

  private void assertNothingIsMounted() throws IOException {
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
    assertThat(Command.run("losetup", "--list", "--noheadings", "--output", "BACK-FILE"))
        .doesNotContain(directory.toString());
  }
}
