package dev.forebay.it.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A spool that overflows to another disk while that of the log stalls. */
@Tag("soak")
class OverflowIT {

  private static final long SPOOL_BYTES = 1 << 20;
  private static final int MESSAGES = 250_000; // about 50 MB
  private static final int LIVES = Integer.getInteger("forebay.overflow.lives", 4);

  private final long seed = Long.getLong("forebay.overflow.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @AutoClose private final Places places = Places.create();
  @AutoClose private final Places others = Places.create();

  /** Its calls wait for a spool that is full, so that nothing may be dropped. */
  private String patient(Path log, Path overflow) {
    return inner(log)
        + "<appendTimeout>30 seconds</appendTimeout>"
        + "<overflowDirectory>%s</overflowDirectory>".formatted(overflow);
  }

  private String inner(Path log) {
    return Xml.places(log, places.spool())
        + Xml.FAST
        + "<spoolSize>1MB</spoolSize><segmentSize>64KB</segmentSize>"
        + Xml.MESSAGES;
  }

  /** Of segments below a directory, from which they may be moved or shipped meanwhile. */
  private static long bytes(Path base) throws IOException {
    AtomicLong bytes = new AtomicLong();
    Files.walkFileTree(
        base,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.addAndGet(file.toString().endsWith(".seg") ? attributes.size() : 0);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.get();
  }

  /** What a dead process had not finished copying: no thread that ships or stops waits for that. */
  private static void awaitCopiesGone(Path base) throws IOException {
    Await.until(
        "unfinished copies are gone",
        () ->
            FileTree.entries(base).stream()
                .noneMatch(path -> path.getFileName().toString().startsWith("new-")));
  }

  private void requireNothingLeft(Path... bases) throws IOException {
    for (Path base : bases) {
      assertThat(bytes(base)).as("left in " + base).isZero();
    }
  }

  @Test
  void fiftyTimesTheSpoolIsKeptWhileTheLogsDiskStallsAndArrivesInOrder() throws Exception {
    try (Mounted disk = Mounted.disk(places, "128m");
        Mounted other = Mounted.disk(others, "128m")) {
      Path log = disk.at().resolve("app.log");
      try (Tiered tiered = Tiered.with(patient(log, other.at()))) {
        tiered.log("p", 0, 100).flush();
        disk.freeze();
        tiered.log("p", 100, MESSAGES);

        LedgerSnapshot stalled = tiered.snapshot();
        assertThat(stalled.dropped()).isZero();
        assertThat(stalled.inFlight()).isEqualTo(MESSAGES);
        assertThat(bytes(places.spool())).isLessThanOrEqualTo(SPOOL_BYTES);
        assertThat(bytes(other.at())).isGreaterThan(30 * SPOOL_BYTES);
        disk.thaw();
        tiered.flush();
        assertThat(tiered.problems()).isEmpty();
        Oracle oracle = new Oracle().producer("p", MESSAGES + 100, MESSAGES + 100);
        oracle.complete(0).requireSound(LogFiles.of(log).lines());
      }
      requireNothingLeft(places.spool(), other.at());
    }
  }

  @Test
  void anOverflowDiskThatStallsTooKeepsNobodyFromTheTmpfs() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        Mounted other = Mounted.disk(others)) {
      Path log = disk.at().resolve("app.log");
      String xml = inner(log) + "<overflowDirectory>%s</overflowDirectory>".formatted(other.at());
      try (Tiered tiered = Tiered.with(xml);
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        disk.freeze();
        other.freeze();
        while (tiered.snapshot().dropped() == 0) {
          load.requireGoingOn();
        }
        load.requireGoingOn();
        assertThat(bytes(places.spool())).as("filled").isGreaterThan(SPOOL_BYTES / 2);
        assertThat(bytes(other.at())).isLessThan(SPOOL_BYTES);
        other.thaw();
        Await.until("overflows", () -> bytes(other.at()) > 2 * SPOOL_BYTES);
        disk.thaw();
        load.requireGoingOn().stop();
        tiered.flush();
        LedgerSnapshot account = tiered.snapshot();
        Oracle oracle = load.oracle().dropped(account.dropped());
        oracle.complete(0).requireSound(LogFiles.of(log).lines());
      }
      requireNothingLeft(places.spool(), other.at());
    }
  }

  /** The log's disk is fine: what is in the spool is shipped, and nobody waits for the other. */
  @Test
  void anOverflowDiskThatStallsAloneIsNotNoticed() throws Exception {
    try (Mounted other = Mounted.disk(others)) {
      try (Tiered tiered = Tiered.with(patient(places.log(), other.at()))) {
        tiered.log("p", 0, 100).flush();
        other.freeze();
        tiered.log("p", 100, 20_000).flush();
        assertThat(tiered.problems()).isEmpty();
        other.thaw();
      }
      Oracle oracle = new Oracle().producer("p", 20_100, 20_100);
      oracle.complete(0).requireSound(places.lines());
      requireNothingLeft(places.spool(), other.at());
    }
  }

  @Test
  void anOverflowDiskWithoutRoomIsToldOnceAndUsedAgainWhenItHasSome() throws Exception {
    try (Mounted disk = Mounted.disk(places);
        Mounted other = Mounted.disk(others, "8m", "defaults", "-m", "0", "-O", "^has_journal")) {
      Path log = disk.at().resolve("app.log");
      Path filler = other.at().resolve("filler");
      Files.write(filler, new byte[5 << 20]);
      String xml = inner(log) + "<overflowDirectory>%s</overflowDirectory>".formatted(other.at());
      try (Tiered tiered = Tiered.with(xml);
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        disk.freeze();
        tiered.awaitWarning("<overflowDirectory> " + other.at(), "No space left on device");
        Await.until("dropped", () -> tiered.snapshot().dropped() > 0);
        load.requireGoingOn();
        long before = bytes(other.at());
        Files.delete(filler);
        Await.until("used again", () -> bytes(other.at()) > before);
        assertThat(tiered.warnings()).filteredOn(text -> text.contains("overflow")).hasSize(1);
        disk.thaw();
        load.requireGoingOn().stop();
        tiered.flush();
        Oracle oracle = load.oracle().dropped(tiered.snapshot().dropped());
        oracle.complete(0).requireSound(LogFiles.of(log).lines());
      }
    }
  }

  /** The disk is thawed only after the stop: that the stop returned is the proof of its bound. */
  @Test
  void aStopLeavesWhatOverflowedToTheNextStartAlsoIfOneWithoutComesBetween() throws Exception {
    try (Mounted disk = Mounted.disk(places, "128m");
        Mounted other = Mounted.disk(others, "128m")) {
      Path log = disk.at().resolve("app.log");
      String shortStop = "<maxFlushTime>300 milliseconds</maxFlushTime>";
      Tiered first = Tiered.with(patient(log, other.at()), shortStop);
      first.log("first", 0, 100).flush();
      disk.freeze();
      first.log("first", 100, 20_000);
      TieredAppender appender = first.appender();
      first.close();
      LedgerSnapshot account = appender.snapshot(); // the time may be over before the ring is empty
      assertThat(account.inFlight() + account.dropped()).isEqualTo(20_000);
      disk.thaw();
      assertThat(bytes(other.at())).isGreaterThan(SPOOL_BYTES);
      try (Tiered without = Tiered.with(inner(log))) {
        without.log("without", 0, 10).flush();
      }
      assertThat(bytes(other.at())).isGreaterThan(SPOOL_BYTES);
      try (Tiered third = Tiered.with(patient(log, other.at()))) {
        third.log("third", 0, 10).flush();
        assertThat(third.problems()).isEmpty();
      }
      // Another start may have them in another order, but none twice, and none is lost.
      List<String> lines = LogFiles.of(log).lines();
      assertThat(lines).doesNotHaveDuplicates().hasSize(120 + (int) account.inFlight());
      requireNothingLeft(places.spool(), other.at());
    }
  }

  @Test
  void nothingIsMissingDoubledOrTornAfterKills() throws Exception {
    System.out.println("-Dforebay.overflow.seed=" + seed);
    Oracle oracle = new Oracle();
    try (Mounted disk = Mounted.disk(places, "512m");
        Mounted other = Mounted.disk(others, "512m")) {
      Path log = disk.at().resolve("app.log");
      String xml = Xml.configuration(patient(log, other.at()));
      for (int life = 0; life < LIVES; life++) {
        try (Child child = start("life" + life, xml)) {
          child.awaitOffered(0, 1);
          disk.freeze();
          long before = bytes(other.at());
          Await.until("overflows", () -> bytes(other.at()) > before + SPOOL_BYTES);
          pass();
          boolean isShipping = life % 2 == 1;
          if (isShipping) {
            disk.thaw();
            pass();
          }
          other.freeze();
          pass();
          child.signal("KILL");
          other.thaw();
          if (!isShipping) {
            disk.thaw();
          }
          child.awaitEnd();
          child.tell(oracle);
        }
        oracle
            .seen(LogFiles.of(log).lines())
            .seen(SpoolPeek.lines(places.spool(), log))
            .seen(SpoolPeek.lines(other.at(), log));
      }
      try (Tiered last = Tiered.with(patient(log, other.at()))) {
        last.log("last", 0, 10).flush();
        awaitCopiesGone(other.at());
        assertThat(last.problems()).isEmpty();
      }
      oracle.producer("last", 10, 10).requireSound(LogFiles.of(log).lines());
      requireNothingLeft(places.spool(), other.at());
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.overflow.seed=" + seed, e);
    }
  }

  /** What reached the other disk is in the log; of the rest perhaps a line's beginning. */
  @Test
  void whatOverflowedOutlivesPowerCuts() throws Exception {
    assumeTrue(Command.exists("perl"), "no perl: install perl (cuts the power by an ioctl)");
    System.out.println("-Dforebay.overflow.seed=" + seed);
    Oracle oracle = new Oracle().dropped(Long.MAX_VALUE); // a cut leaves holes
    try (Mounted disk = Mounted.disk(places, "512m");
        Mounted other = Mounted.disk(others, "512m")) {
      Path log = disk.at().resolve("app.log");
      String xml = Xml.configuration(patient(log, other.at()));
      for (int life = 0; life < LIVES; life++) {
        try (Child child = start("life" + life, xml)) {
          child.awaitOffered(0, 1);
          disk.freeze();
          long before = bytes(other.at());
          Await.until("overflows", () -> bytes(other.at()) > before + SPOOL_BYTES);
          disk.thaw();
          pass();
          (life % 2 == 0 ? disk : other).cutPower();
          (life % 2 == 0 ? other : disk).cutPower();
          child.kill();
          child.tell(oracle);
        }
        disk.mountAnew();
        other.mountAnew();
        for (Path left : List.of(places.spool())) {
          FileTree.delete(left);
          Files.createDirectory(left);
        }
        oracle.seen(SpoolPeek.lines(other.at(), log));
      }
      try (Tiered last = Tiered.with(patient(log, other.at()))) {
        last.log("last", 0, 10).flush();
        awaitCopiesGone(other.at());
        assertThat(last.warnings()).noneMatch(text -> text.contains("duplicated"));
      }
      List<String> lines = LogFiles.of(log).lines();
      List<String> whole = lines.stream().filter(line -> Numbered.parse(line) != null).toList();
      assertThat(lines.size() - whole.size()).as("torn").isLessThanOrEqualTo(LIVES);
      oracle.producer("last", 10, 10).requireSound(whole);
      requireNothingLeft(other.at());
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.overflow.seed=" + seed, e);
    }
  }

  private Child start(String name, String xml) throws IOException {
    Child.Task task = new Child.Task(name, 2, Long.MAX_VALUE, 0, 50, "exit");
    return Child.start(task, xml, places.directory(name));
  }

  private void pass() {
    Await.pass(Duration.ofMillis(random.nextInt(300)));
  }
}
