package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Dumps;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A flight recorder beside other processes, frozen disks and full memory. */
class FlightProcessIT {

  private static final String SMALL =
      "<segmentSize>64KB</segmentSize><appendTimeout>30 seconds</appendTimeout>"
          + "<flightRecorder><level>WARN</level><size>512 KB</size>"
          + "<after>0</after><minInterval>0</minInterval>%s</flightRecorder>";

  @AutoClose private final Places places = Places.create();

  private String inner(Path log, String recorder) {
    return Xml.places(log, places.spool()) + Xml.FAST + SMALL.formatted(recorder) + Xml.MESSAGES;
  }

  private static Path awaitDump(Path log, String reason) throws Exception {
    Await.until("a dump " + reason, () -> !named(log, reason).isEmpty());
    assertThat(named(log, reason)).hasSize(1);
    return named(log, reason).get(0);
  }

  private static List<Path> named(Path log, String reason) throws Exception {
    return DumpFiles.of(log).stream().filter(path -> path.toString().contains(reason)).toList();
  }

  @Tag("nightly")
  @Test
  void aLivingProcessKeepsItsLoopAndADeadOneIsDumpedByItsNeighbour() throws Exception {
    Path log = places.log();
    String xml = Xml.configuration(inner(log, "<dumpOn>OFF</dumpOn>"));
    Child.Task task = new Child.Task("first", 1, 1000, 0, 0, "wait");
    try (Child first = Child.start(task, xml, places.directory("first"))) {
      first.awaitOffered(0, 1000);
      try (Tiered second = Tiered.configured(xml)) {
        second.log("second", 0, 100).flush(); // recorded only
        Await.until("dumped by itself", () -> second.appender().dump("second"));
        Dumps.requireGapless(DumpFiles.events(awaitDump(log, ".hand-second.")));
        assertThat(named(log, ".crash-")).as("of a living process").isEmpty();
        first.kill();
        Await.until(
            "the neighbour, which is not idle, has dumped it",
            () -> {
              second.logger().warn("busy");
              return !named(log, ".crash-").isEmpty();
            });
        Map<String, Long> next = Dumps.requireGapless(DumpFiles.events(awaitDump(log, ".crash-")));
        assertThat(next).containsOnlyKeys(first.producer(0));
        Dumps.requireLaw(second.snapshot());
        assertThat(second.snapshot().held()).isEqualTo(100);
      }
    }
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @Test
  @Tag("jdk-nightly")
  void whileTheDiskIsFrozenRecordingGoesOnAndTheDumpFollows() throws Exception {
    try (Mounted disk = Mounted.disk(places, "128m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      try (Tiered tiered = Tiered.with(inner(log, ""))) {
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
          List<String> dump = DumpFiles.events(awaitDump(log, ".ERROR."));
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
