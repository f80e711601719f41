package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ControlGroup;
import dev.forebay.it.support.Dumps;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A log disk that takes nothing for a while, or takes it slowly. */
@Tag("soak")
class StalledDiskIT {

  private static final Duration STALL = Duration.ofMillis(Long.getLong("forebay.stall.ms", 1000));
  private static final String SHORT_STOP = "<maxFlushTime>300 milliseconds</maxFlushTime>";

  /** A second line of each event, with which callers log more than a slow disk takes. */
  private static final String PADDING = ".".repeat(400);

  /** Events that wait for the slow disk: for five seconds. */
  private static final long BEHIND = 3000;

  @AutoClose private final Places places = Places.create();

  private String inner(Path log) {
    return Xml.places(log, places.spool()) + Xml.FAST + SHORT_STOP + Xml.MESSAGES;
  }

  @Test
  void callersDoNotNoticeAStallAndEverythingArrivesInOrder() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("app.log");
      try (Tiered tiered = Tiered.with(inner(log));
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush().calls().reset();
        disk.freeze();
        long bytesBefore = Files.size(log);
        load.requireGoingOn(STALL);
        assertThat(Files.size(log)).as("taken by a frozen disk").isEqualTo(bytesBefore);
        LedgerSnapshot stalled = tiered.snapshot();
        assertThat(stalled.inFlight()).isGreaterThan(300);
        assertThat(stalled.dropped()).isZero();
        disk.thaw();
        tiered.calls().record("log disk stalled for " + STALL.toMillis() + " ms");
        load.requireGoingOn().stop();
        tiered.flush();
        assertThat(tiered.statuses()).noneMatch(status -> status.getEffectiveLevel() > 0);
        load.oracle().complete(0).requireSound(LogFiles.of(log).lines());
      }
    }
  }

  /** The disk is thawed only after the stop: that the stop returned is the proof of its bound. */
  @Test
  void aStopDuringAStallHandsOverWhatIsLeftAndTheNextStartShipsItOnce() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("app.log");
      Tiered first = Tiered.with(inner(log)).log("first", 0, 100).flush();
      TieredAppender appender = first.appender();
      Oracle oracle;
      try (Load load = Load.on(first)) {
        load.requireGoingOn();
        disk.freeze();
        load.requireGoingOn();
        load.stop();
        oracle = load.oracle().producer("first", 100, 100);
      }
      first.close();

      LedgerSnapshot account = appender.snapshot();
      assertThat(account.dropped()).isZero();
      assertThat(account.inFlight()).isGreaterThan(300);
      assertThat(first.warnings())
          .anyMatch(
              text -> text.contains(account.inFlight() + " events are left in the spool for"));
      first.calls().record("stop() while the log disk is stalled");
      try (Tiered second = Tiered.with(inner(log))) {
        second.log("second", 0, 100);
        assertThat(second.snapshot().inFlight()).isEqualTo(100);
        disk.thaw();
        second.flush();
        assertThat(second.errors()).isEmpty();
      }
      oracle.producer("second", 100, 100).complete(0).requireSound(LogFiles.of(log).lines());
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    }
  }

  @Test
  void theShutdownHookDuringAStallDrainsIntoTheSpoolAndEnds() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("app.log");
      Child.Task task = new Child.Task("exit", 2, 1000, 0, 3, "exit");
      Oracle oracle = new Oracle();
      try (Child child =
          Child.start(task, Xml.configuration(inner(log)), places.directory("exit"))) {
        child.awaitOffered(0, 300);
        child.awaitOffered(1, 300);
        disk.freeze();
        Await.until("main thread is gone", () -> Program.isMainThreadGone(child.pid()));
        assertThat(child.isAlive()).as("shipper waits for the disk: %s", child.output()).isTrue();
        CallTimes.record("exit of the JVM on a stalled disk", child.progress().longestCallNs());
        try (Tiered second = Tiered.with(inner(log))) {
          second.log("second", 0, 100);
          disk.thaw();
          assertThat(child.awaitEnd()).as(child.output()).isZero();
          Await.until("all shipped", () -> LogFiles.of(log).lines().size() == 2100);
          second.flush();
          assertThat(second.errors()).isEmpty();
        }
        child.tell(oracle);
      }
      oracle.producer("second", 100, 100).complete(0).requireSound(LogFiles.of(log).lines());
    }
  }

  @Test
  @Tag("jdk-nightly")
  void aFlightRecorderGoesOnAndItsDumpFollows() throws Exception {
    try (Mounted disk = Mounted.disk(places, "128m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      String recorder =
          "<segmentSize>64KB</segmentSize><appendTimeout>30 seconds</appendTimeout>"
              + "<flightRecorder><level>WARN</level><size>512 KB</size>"
              + "<after>0</after><minInterval>0</minInterval></flightRecorder>";
      try (Tiered tiered =
          Tiered.with(Xml.places(log, places.spool()), Xml.FAST, recorder, Xml.MESSAGES)) {
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

  @Test
  void aSlowDiskDelaysTheLogOnly() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        ControlGroup slow =
            ControlGroup.ofWrites(
                Command.run("lsblk", "-dno", "MAJ:MIN", disk.device().toString()), 256 << 10)) {
      Path log = disk.at().resolve("app.log");
      Child.Task task = new Child.Task("slow", 2, Long.MAX_VALUE, 0, 10, "released");
      String inner =
          Xml.places(log, places.spool())
              + Xml.FAST
              + "<maxFlushTime>30 seconds</maxFlushTime>"
              + Xml.MESSAGES.replace("%n", "%n" + PADDING + "%n");
      Oracle oracle = new Oracle().alsoAllowed(PADDING);
      try (Child child =
          Child.start(task, Xml.configuration(inner), places.directory("slow"), slow.around())) {
        // Of what was forced: the page cache takes all at once. A healthy disk is 50 ms behind.
        Await.until(
            "the callers go on, the disk is behind: " + child.output(),
            () -> child.offered() - child.progress().durableUpTo() > BEHIND);
        child.release();
        CallTimes.record("log disk takes 256 KB/s", child.progress().longestCallNs());
        assertThat(child.awaitEnd()).as(child.output()).isZero();
        assertThat(child.account()).contains("dropped 0 ").endsWith("in flight 0");
        child.tell(oracle);
      }
      oracle.complete(0).requireSound(LogFiles.of(log).lines());
    }
  }
}
