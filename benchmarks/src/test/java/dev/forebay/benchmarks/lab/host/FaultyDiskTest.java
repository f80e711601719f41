package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.host.Command;
import dev.forebay.host.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
final class FaultyDiskTest {

  @TempDir Path directory;

  @BeforeEach
  void onlyAsRoot() throws IOException {
    assumeTrue(LoopDisk.obstacle().isEmpty(), LoopDisk.obstacle());
    try {
      FaultyDisk.create(FaultyDisk.Kind.FREEZES, directory).close();
    } catch (IOException e) {
      assumeTrue(false, "no loop device: allow loop mounts (" + e + ")");
    }
  }

  @Test
  void aRunThatWritesToAFrozenDiskIsKilledAndLeavesNoMount() throws Exception {
    // Of the 12 s of this scenario it gets 4: the disk is frozen when they are over.
    Path results = Files.createDirectories(directory.resolve("results"));
    Bench bench =
        new Bench(
            new FakeLauncher("writes for 60000"),
            results,
            results,
            directory,
            directory,
            Duration.ofSeconds(-8));
    Measurement measurement =
        bench.make(new PlannedRun(Scenario.FROZEN_DISK, Peer.FILE, 1), () -> {});

    assertThat(measurement.voidBecause()).isEqualTo("did not end within 4 s");
    assertThat(measurement.faultFromMs()).isGreaterThanOrEqualTo(2_000);
    assertThat(measurement.faultToMs()).isGreaterThan(measurement.faultFromMs());
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
    assertThat(Command.run("losetup", "--list", "--noheadings", "--output", "BACK-FILE"))
        .doesNotContain(directory.toString());
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.equals("disk") || name.equals("disk.img"));
    }
  }
}
