package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the other process cannot do, seen from the application. */
class ShipperFaultsIT {

  @AutoClose private final Places places = Places.create();

  @Test
  void whyTheLogCannotBeWrittenIsToldInBothAndAllArrivesOnceItCan() throws Exception {
    Path directory = places.root().resolve("later");
    Files.writeString(directory, "in the way");
    Path log = directory.resolve("app.log");
    try (Tiered app = Tiered.with(Apart.inner(log, places.spool()));
        Load load = Load.on(app);
        Ship ship = Ship.start(places.root().resolve("ship"), places.spool())) {
      load.requireGoingOn();
      Await.process("the shipper says it: " + ship, () -> !ship.problems().isEmpty());
      assertThat(ship.problems().get(0)).contains("cannot write " + log);
      Await.until("the application says it", () -> lastErrors().contains(directory.toString()));
      assertThat(app.snapshot().delivered()).isZero();
      Files.delete(directory);
      load.requireGoingOn().stop();
      app.flush();
      assertThat(app.snapshot().delivered()).isEqualTo(load.offered());
      assertThat(app.snapshot().dropped()).isZero();
      assertThat(ship.problems()).as("told once").hasSize(1);
      app.context().stop();
      ship.awaitDrained();
      load.oracle().complete(0).requireSound(LogFiles.of(log).lines());
    }
  }

  /** A disk that stands still before the shipper has opened the log. */
  @Test
  void whatWaitsForADiskThatCannotBeOpenedIsCountedAtTheEndOfTheShipper() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("log").resolve("app.log");
      disk.freeze();
      try (Tiered app = Tiered.with(Apart.inner(log, places.spool()))) {
        app.log("app", 0, 100);
        try (Ship ship =
            Ship.launch(places.root().resolve("ship"), places.spool(), "--grace", "2s")) {
          Await.process("ships: " + ship, () -> isShipped(log));
          ship.signal("TERM");
          Await.process(
              "says what is left: " + ship,
              () ->
                  ship.problems().stream().anyMatch(text -> text.contains("100 lines of " + log)));
          disk.thaw();
        }
      }
    }
  }

  /** Whether a process has the lock. */
  private boolean isShipped(Path log) throws IOException {
    NioDisk disk = new NioDisk();
    SpoolDirectory directory =
        SpoolDirectory.openExisting(disk, places.spool(), LogIdentity.of(disk, log));
    if (directory == null) {
      return false;
    }
    try (SpoolLock lock = directory.tryShipLock()) {
      return lock == null;
    }
  }

  /** Of all appenders of this process. */
  private static String lastErrors() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StringBuilder errors = new StringBuilder();
    for (ObjectName name : server.queryNames(new ObjectName("dev.forebay:type=Appender,*"), null)) {
      errors.append(JMX.newMXBeanProxy(server, name, AppenderMXBean.class).getLastError());
    }
    return errors.toString();
  }
}
