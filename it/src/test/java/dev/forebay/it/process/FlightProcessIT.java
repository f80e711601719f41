package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.host.DumpFiles;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Dumps;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Files;
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

  private static final int KILLED = 128 + 9;
  private static final int TERMINATED = 128 + 15;

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

  @Test
  void aDumpThatCannotBeWrittenIsAWarningAndItsEventsStay() throws Exception {
    try (Mounted disk = Mounted.disk(places, "48m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      Path directory = log.resolveSibling("");
      try (Tiered tiered = Tiered.with(inner(log, ""))) {
        tiered.log("before", 0, 500).flush();
        Command.run("chattr", "+i", directory.toString()); // the log itself can be written
        tiered.logger().error("alarm");
        tiered.awaitWarning("cannot write a dump of the flight recorder (ERROR)", "stay in");
        assertThat(tiered.snapshot().held()).isEqualTo(500);
        Command.run("chattr", "-i", directory.toString());
        Await.until("asked", () -> tiered.appender().dump("then"));
        List<String> dump = DumpFiles.events(awaitDump(log, ".hand-then."));
        assertThat(dump).hasSize(501).endsWith("alarm");
        Dumps.requireGapless(dump.subList(0, 500));
        assertThat(DumpFiles.of(log)).hasSize(1);
        tiered.flush();
        Dumps.requireLaw(tiered.snapshot());
      } finally {
        Command.exitCode("chattr", "-i", directory.toString());
      }
    }
  }

  @Test
  void whileTheSpoolIsFullRecordingGoesOnAndOnlyTheLogLosesEvents() throws Exception {
    try (Mounted disk = Mounted.disk(places, "128m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      String full = "<spoolSize>128KB</spoolSize><ringBufferBytes>1 MB</ringBufferBytes>";
      try (Tiered tiered = Tiered.with(full, inner(log, "<dumpOn>OFF</dumpOn>"))) {
        tiered.log("before", 0, 10).flush();
        disk.freeze();
        for (int i = 0; i < 20_000; i++) {
          tiered.logger().warn("warn {} {}", i, "x".repeat(100));
        }
        tiered.log("traced", 0, 1000);
        Await.until(
            "all are recorded, not " + tiered.snapshot(), () -> tiered.snapshot().held() > 0);
        Await.until("recorded", () -> tiered.snapshot().dropped() > 0);
        disk.thaw();
        tiered.flush();
        assertThat(tiered.appender().dump("then")).isTrue();
        List<String> dump = DumpFiles.events(awaitDump(log, ".hand-then."));
        List<String> traced = dump.stream().filter(line -> line.startsWith("traced ")).toList();
        assertThat(Dumps.requireGapless(traced)).containsEntry("traced", 1000L);
        assertThat(traced).hasSize(1000);
        LedgerSnapshot account = tiered.snapshot();
        Dumps.requireLaw(account);
        assertThat(account.droppedByReasonAndLevel()).containsOnlyKeys("SPOOL_FULL");
      }
    }
  }

  @Test
  @Tag("jdk-nightly")
  void whileOthersFillTheTmpfsRecordingGoesOnInThePagesItHas() throws Exception {
    Path log = places.log();
    try (Mounted memory = Mounted.memory(places, "size=8m,mode=0700");
        Tiered tiered =
            Tiered.with(
                Xml.places(log, memory.at()),
                SMALL.formatted("<dumpOn>OFF</dumpOn>"),
                Xml.MESSAGES)) {
      tiered.log("before", 0, 1500).flush();
      Path stranger = memory.at().resolve("stranger");
      for (String block : List.of("64k", "4k", "1")) {
        Command.exitCode(
            "dd", "if=/dev/zero", "of=" + stranger, "bs=" + block, "oflag=append", "conv=notrunc");
      }
      tiered.log("during", 0, 5000).flush();
      Files.delete(stranger);
      assertThat(tiered.appender().dump("then")).isTrue();
      List<String> dump = DumpFiles.events(awaitDump(log, ".hand-then."));
      assertThat(Dumps.requireGapless(dump)).containsEntry("during", 5000L);
      Dumps.requireLaw(tiered.snapshot());
      assertThat(tiered.snapshot().dropped()).isZero();
      assertThat(tiered.snapshot().held()).isEqualTo(dump.size());
    }
  }

  @Test
  @Tag("jdk-nightly")
  void aStormOfErrorsIsLoggedWholeAndDumpedOnce() throws Exception {
    Path log = places.log();
    try (Tiered tiered =
        Tiered.with(
            inner(log, "<minInterval>1 hour</minInterval>")
                .replace("<minInterval>0</minInterval>", ""))) {
      long startNs = System.nanoTime();
      for (int i = 0; i < 20_000; i++) {
        tiered.logger().error("error {}", i);
        while (System.nanoTime() - startNs < i * 100_000L) { // 10,000 a second
          Thread.onSpinWait();
        }
      }
      tiered.flush();
      assertThat(DumpFiles.of(log)).hasSize(1);
      assertThat(Files.readAllLines(log).stream().filter(line -> line.startsWith("error ")))
          .hasSize(20_000);
      Await.until("asked", () -> tiered.appender().dump("last"));
      assertThat(DumpFiles.remarks(awaitDump(log, ".hand-last.")))
          .contains("# 19999 triggers since the last dump caused none");
      Dumps.requireLaw(tiered.snapshot());
    }
  }

  @Test
  void aDumpDuringADumpFollowsIt() throws Exception {
    Path log = places.log();
    try (Tiered tiered =
        Tiered.with(inner(log, "").replace("<after>0</after>", "<after>1 second</after>"))) {
      tiered.log("before", 0, 100);
      tiered.logger().error("alarm");
      tiered.flush();
      assertThat(tiered.appender().dump("asked")).isTrue();
      assertThat(tiered.appender().dump("too much")).isFalse();
      List<String> first = DumpFiles.events(awaitDump(log, ".ERROR."));
      List<String> second = DumpFiles.events(awaitDump(log, ".hand-asked."));
      assertThat(first).hasSize(101).endsWith("alarm");
      assertThat(second).startsWith(first.toArray(new String[0]));
    }
  }

  @Test
  @Tag("jdk-nightly")
  void processesThatEndInOrderLeaveNoLoopAndCauseNoDump() throws Exception {
    Path log = places.log();
    String xml = Xml.configuration(inner(log, "<dumpOn>OFF</dumpOn>"));
    for (int life = 0; life < 4; life++) {
      boolean isSignalled = life % 2 == 1;
      String end = isSignalled ? "wait" : "exit";
      Child.Task task = new Child.Task("life" + life, 1, 1000, 0, 0, end);
      try (Child child = Child.start(task, xml, places.directory(task.name()))) {
        child.awaitOffered(0, 1000);
        if (isSignalled) {
          Await.until("recorded", () -> FileTree.contains(places.spool(), task.name() + "-"));
          child.signal("TERM");
        }
        assertThat(child.awaitEnd()).as(child.output()).isEqualTo(isSignalled ? TERMINATED : 0);
      }
      assertThat(SpoolPeek.loops(places.spool(), log)).as(task.name()).isEmpty();
    }
    try (Tiered last = Tiered.configured(xml)) {
      last.logger().warn("last");
      last.flush();
      Await.until("asked", () -> last.appender().dump("now"));
      awaitDump(log, ".hand-now.");
      assertThat(last.problems()).isEmpty();
    }
    assertThat(named(log, ".crash-")).isEmpty();
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @Test
  void withoutDumpsAtCrashADeadLoopIsOnlyDeleted() throws Exception {
    Path log = places.log();
    String xml = Xml.configuration(inner(log, "<dumpOn>OFF</dumpOn>"));
    Child.Task task = new Child.Task("first", 1, 1000, 0, 0, "wait");
    try (Child first = Child.start(task, xml, places.directory("first"))) {
      first.awaitOffered(0, 1000);
      first.kill();
    }
    List<Path> left = SpoolPeek.spools(places.spool());
    assertThat(left).isNotEmpty();
    try (Tiered second =
        Tiered.with(inner(log, "<dumpOn>OFF</dumpOn><dumpAtCrash>false</dumpAtCrash>"))) {
      SpoolPeek.awaitGone(left);
      assertThat(second.problems()).isEmpty();
    }
    assertThat(DumpFiles.of(log)).isEmpty();
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @Test
  @Tag("jdk")
  void whatAProcessKilledForItsMemoryRecordedIsDumped() throws Exception {
    Path log = places.log();
    String xml = Xml.configuration(inner(log, "<dumpOn>OFF</dumpOn>"));
    Map<String, List<String>> left;
    try (ControlGroup group = ControlGroup.ofMemory(160L << 20);
        Child child =
            Child.startSmall(
                new Child.Task("leaking", 2, Long.MAX_VALUE, 0, 10, "leaking"),
                xml,
                places.directory("leaking"),
                "1g",
                group.around())) {
      assertThat(child.awaitEnd()).as(child.output()).isEqualTo(KILLED);
      left = SpoolPeek.loops(places.spool(), log);
    }
    assertThat(left).hasSize(1);
    try (Tiered next = Tiered.configured(xml)) {
      List<String> dump = DumpFiles.events(awaitDump(log, ".crash-"));
      assertThat(dump).isEqualTo(left.values().iterator().next()).isNotEmpty();
      Dumps.requireGapless(dump);
      assertThat(next.problems()).isEmpty();
    }
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}
