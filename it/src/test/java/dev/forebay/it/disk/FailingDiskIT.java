package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A log disk that fails to write, and one that the kernel has made read-only. */
class FailingDiskIT {

  @AutoClose private final Places places = Places.create();

  /**
   * The kernel takes lines into its cache, fails to write them, says so once, and takes them for
   * written. The log is judged after the cache is gone.
   */
  @Test
  void whatAFailedFsyncDidNotBringToTheDiskIsWrittenAgain() throws Exception {
    try (FailingDisk disk = FailingDisk.create(places)) {
      Path log = disk.mounted().at().resolve("app.log");
      String inner = Xml.places(log, places.spool()) + Xml.FAST + Xml.MESSAGES;
      Oracle oracle;
      try (Tiered tiered = Tiered.with(inner);
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush().calls().reset();
        disk.fail();
        tiered.awaitWarning("Input/output error");
        load.requireGoingOn();
        assertThat(tiered.snapshot().inFlight()).isGreaterThan(300);
        disk.heal();
        tiered.calls().record("log disk fails to write (EIO)");
        oracle = load.requireGoingOn().endWithoutLoss();
        assertThat(tiered.warnings()).hasSize(1);
      }
      disk.mounted().mountAnew();
      oracle.requireSound(LogFiles.of(log).lines());
    }
  }

  @Test
  void aDiskThatTheKernelMadeReadOnlyIsWrittenAgainAfterItWasMountedAnew() throws Exception {
    try (Mounted disk = Mounted.disk(places, "48m", "errors=remount-ro")) {
      Path log = disk.at().resolve("app.log");
      String inner = Xml.places(log, places.spool()) + Xml.FAST + Xml.MESSAGES;
      try (Tiered tiered = Tiered.with(inner);
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush().calls().reset();
        disk.findError();
        tiered.awaitWarning("cannot write " + log);
        load.requireGoingOn();
        assertThat(tiered.snapshot().inFlight()).isGreaterThan(300);
        disk.mountAnew();
        tiered.calls().record("log disk read-only after an error");
        load.requireGoingOn().endWithoutLoss().requireSound(LogFiles.of(log).lines());
      }
    }
  }

  /**
   * A disk that fails when it is told to: an ext4 on compressed memory (zram) whose limit is
   * lowered. What it has taken stays; new blocks are refused (EIO). Needs root.
   */
  private static final class FailingDisk implements AutoCloseable {

    private static final Path CONTROL = Path.of("/sys/class/zram-control");

    private final String number;
    private final Path settings;
    private final Mounted mounted;

    private FailingDisk(String number, Path settings, Mounted mounted) {
      this.number = number;
      this.settings = settings;
      this.mounted = mounted;
    }

    static FailingDisk create(Places places) throws IOException, InterruptedException {
      Needs.root("making a disk that fails");
      assumeTrue(
          Files.isReadable(CONTROL.resolve("hot_add")),
          "no zram: load the kernel module zram (a disk that fails)");
      String number = Files.readString(CONTROL.resolve("hot_add")).strip();
      Path settings = Path.of("/sys/block/zram" + number);
      Mounted mounted = null;
      try {
        Files.writeString(settings.resolve("disksize"), "64M");
        // Without a journal, whose failure would end the file system for good.
        mounted =
            Mounted.device(places, Path.of("/dev/zram" + number), "defaults", "-O", "^has_journal");
      } finally {
        if (mounted == null) {
          remove(settings, number);
        }
      }
      return new FailingDisk(number, settings, mounted);
    }

    Mounted mounted() {
      return mounted;
    }

    /** From now on every write of a block fails. */
    void fail() throws IOException {
      Files.writeString(settings.resolve("mem_limit"), "4096");
    }

    void heal() throws IOException {
      Files.writeString(settings.resolve("mem_limit"), "0");
    }

    @Override
    public void close() throws IOException {
      try {
        heal();
        mounted.close();
      } finally {
        remove(settings, number);
      }
    }

    private static void remove(Path settings, String number) throws IOException {
      Await.until("nobody uses zram" + number, () -> isReset(settings));
      Files.writeString(CONTROL.resolve("hot_remove"), number);
    }

    /**
     * The kernel refuses while any mount namespace has the disk, that of a container for example.
     */
    private static boolean isReset(Path settings) {
      try {
        Files.writeString(settings.resolve("reset"), "1");
        return true;
      } catch (IOException e) {
        return false;
      }
    }
  }
}
