package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.Dumps;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A flight recorder beside other processes, frozen disks and full memory. */
class FlightProcessIT {

  private static final String SMALL =
      "<segmentSize>64KB</segmentSize><appendTimeout>30 seconds</appendTimeout>"
          + "<flightRecorder><level>WARN</level><size>512 KB</size>"
          + "<after>0</after><minInterval>0</minInterval></flightRecorder>";

  @AutoClose private final Places places = Places.create();

  @Test
  @Tag("jdk-nightly")
  void whileTheDiskIsFrozenRecordingGoesOnAndTheDumpFollows() throws Exception {
    try (Mounted disk = Mounted.disk(places, "128m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      try (Tiered tiered =
          Tiered.with(Xml.places(log, places.spool()), Xml.FAST, SMALL, Xml.MESSAGES)) {
        tiered.log("before", 0, 500).flush();
        disk.freeze();
        try (Load load = Load.on(tiered)) {
          tiered.logger().error("alarm");
          load.requireGoingOn(Duration.ofSeconds(1), 20_000);
          LedgerSnapshot account = tiered.snapshot();
          Dumps.requireLaw(account);
          assertThat(account.expired()).as("overwritten meanwhile").isPositive();
          assertThat(account.dropped()).isZero();
          disk.thaw();
          Await.until("a dump", () -> DumpFiles.of(log).size() == 1);
          List<String> dump = DumpFiles.events(DumpFiles.of(log).get(0));
          assertThat(dump).contains("alarm");
          int alarm = dump.indexOf("alarm");
          Dumps.requireGapless(dump.subList(0, alarm));
        }
        tiered.flush();
        Dumps.requireLaw(tiered.snapshot());
      }
    }
  }
}
