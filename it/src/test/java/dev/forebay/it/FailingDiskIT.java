package dev.forebay.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log disk that fails to write, and one that the kernel has made read-only. */
class FailingDiskIT {

  private static final String FAST = "<fsync>50 milliseconds</fsync>";

  private Places places;

  @BeforeEach
  void create() throws Exception {
    places = Places.create();
  }

  @AfterEach
  void delete() throws Exception {
    places.close();
  }

  /**
   * The kernel takes lines into its cache, fails to write them, says so once, and takes them for
   * written. The log is judged after the cache is gone.
   */
  @Test
  void whatAFailedFsyncDidNotBringToTheDiskIsWrittenAgain() throws Exception {
    try (FailingDisk disk = FailingDisk.create(places)) {
      Path log = disk.mounted().at().resolve("app.log");
      String inner = Xml.places(log, places.spool()) + FAST + Xml.MESSAGES;
      Oracle oracle;
      try (Tiered tiered = Tiered.with(inner);
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush().calls().reset();
        disk.fail();
        Await.until("told", () -> says(tiered, "Input/output error"));
        load.requireGoingOn();
        assertThat(tiered.snapshot().inFlight()).isGreaterThan(300);
        disk.heal();
        tiered.calls().record("log disk fails to write (EIO)");
        load.requireGoingOn().stop();
        tiered.log("fresh", 0, 10).flush();
        assertThat(tiered.snapshot().dropped()).isZero();
        assertThat(tiered.errors()).isEmpty();
        assertThat(tiered.warnings()).hasSize(1);
        oracle = load.oracle().producer("fresh", 10, 10).complete(0);
      }
      disk.mounted().mountAnew();
      oracle.requireSound(LogFiles.of(log).lines());
    }
  }

  private static boolean says(Tiered tiered, String text) {
    return tiered.warnings().stream().anyMatch(warning -> warning.contains(text));
  }

  @Test
  void aDiskThatTheKernelMadeReadOnlyIsWrittenAgainAfterItWasMountedAnew() throws Exception {
    try (Mounted disk = Mounted.disk(places, "48m", "errors=remount-ro")) {
      Path log = disk.at().resolve("app.log");
      String inner = Xml.places(log, places.spool()) + FAST + Xml.MESSAGES;
      try (Tiered tiered = Tiered.with(inner);
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush().calls().reset();
        Path settings = Path.of("/sys/fs/ext4").resolve(disk.device().getFileName());
        Files.writeString(settings.resolve("trigger_fs_error"), "test");
        Await.until("told", () -> says(tiered, "cannot write " + log));
        load.requireGoingOn();
        assertThat(tiered.snapshot().inFlight()).isGreaterThan(300);
        disk.mountAnew();
        tiered.calls().record("log disk read-only after an error");
        load.requireGoingOn().stop();
        tiered.log("fresh", 0, 10).flush();
        assertThat(tiered.snapshot().dropped()).isZero();
        assertThat(tiered.errors()).isEmpty();
        load.oracle().producer("fresh", 10, 10).complete(0).requireSound(LogFiles.of(log).lines());
      }
    }
  }
}
