package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
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
}
