package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spools and logs in places that cannot be used: the appender starts with a warning and never with
 * an error, loses nothing that it accepted, and recovers by itself.
 */
class DegradedIT {

  @AutoClose private final Places places = Places.create();

  private String inner(Path spool) {
    return Xml.places(places.log(), spool) + Xml.FAST + Xml.MESSAGES;
  }

  private void requireHeap(Path spool, String fault) throws Exception {
    try (Tiered tiered = Tiered.with(inner(spool))) {
      tiered.log("p", 0, 200).flush();

      assertThat(tiered.errors()).isEmpty();
      assertThat(tiered.warnings())
          .anySatisfy(
              text ->
                  assertThat(text)
                      .contains("<spoolDirectory>", spool.toString(), fault)
                      .contains("of the heap, lost if the process is killed"));
      assertThat(tiered.warnings()).hasSize(1);
    }
    new Oracle().producer("p", 200, 200).complete(0).requireSound(places.lines());
  }

  @Test
  void aMissingSpoolDirectoryIsReplaced() throws Exception {
    requireHeap(places.root().resolve("nowhere"), "does not exist");
  }

  @Test
  void aFileInPlaceOfTheSpoolDirectoryIsLeftAlone() throws Exception {
    Path file = Files.writeString(places.root().resolve("file"), "precious");
    requireHeap(file, "is a file");
    assertThat(file).hasContent("precious");
  }

  @Test
  void aSymbolicLinkInPlaceOfTheSpoolDirectoryIsNotFollowed() throws Exception {
    Path target = places.directory("target");
    Path link = Files.createSymbolicLink(places.root().resolve("link"), target);
    requireHeap(link, "is a symbolic link");
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void aPipeInPlaceOfTheSpoolDirectoryDoesNotHang() throws Exception {
    Path pipe = places.root().resolve("pipe");
    assumeTrue(Command.exitCode("mkfifo", pipe.toString()) == 0, "no mkfifo: install coreutils");
    requireHeap(pipe, "is a pipe");
  }

  @Test
  void aSpoolDirectoryOfSomebodyElseIsNotUsed() throws Exception {
    Needs.root("giving a directory to another user");
    Path foreign = places.directory("foreign");
    Files.setAttribute(foreign, "unix:uid", 65534);
    requireHeap(foreign, "belongs to user 65534");
    assertThat(foreign).isEmptyDirectory();
  }

  /** As Kubernetes mounts memory for a pod with an fsGroup. */
  @Test
  void aSharedSpoolDirectoryMayHandOnItsGroup() throws Exception {
    Command.run("chmod", "3777", places.spool().toString());
    Path own = places.spool().resolve("forebay-" + Files.getAttribute(places.root(), "unix:uid"));
    for (int start = 0; start < 2; start++) { // the second finds the directory of the first
      try (Tiered tiered = Tiered.with(places.xml(), Xml.FAST, Xml.MESSAGES)) {
        tiered.log("p", 100L * start, 100).flush();
        assertThat(tiered.warnings()).isEmpty();
        assertThat((Integer) Files.getAttribute(own, "unix:mode") & 07777).isEqualTo(02700);
      }
    }
    new Oracle().producer("p", 200, 200).complete(0).requireSound(places.lines());
  }

  @Test
  void aReadOnlySpoolDirectoryIsReplaced() throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=1m,ro")) {
      requireHeap(memory.at(), "Read-only file system");
    }
  }

  @Test
  void aPlaceTakenByOthersInASharedDirectoryIsAvoided() throws Exception {
    Path own = places.spool().resolve("forebay-" + Files.getAttribute(places.root(), "unix:uid"));
    Path target = places.directory("target");
    Files.createSymbolicLink(own, target);
    try (Tiered tiered = Tiered.with(places.xml(), Xml.FAST, Xml.MESSAGES)) {
      tiered.log("p", 0, 200).flush();
      assertThat(tiered.errors()).isEmpty();
      assertThat(tiered.warnings())
          .singleElement()
          .asString()
          .contains("refused " + own + ": is a symbolic link; required: a directory of user");
    }
    assertThat(target).isEmptyDirectory();
    new Oracle().producer("p", 200, 200).complete(0).requireSound(places.lines());
  }

  @Tag("nightly")
  @Test
  void goesBackToTheWantedSpoolDirectoryWhenItCanBeUsed() throws Exception {
    Path spool = places.root().resolve("later");
    try (Tiered tiered = Tiered.with(inner(spool))) {
      tiered.log("p", 0, 200).flush();
      Files.createDirectory(spool);
      tiered.awaitWarning("spooling in <spoolDirectory> again");
      tiered.log("p", 200, 200).flush();
      assertThat(SpoolPeek.spools(spool)).hasSize(1);
    }
    new Oracle().producer("p", 400, 400).complete(0).requireSound(places.lines());
  }

  @Test
  void aFileInPlaceOfTheLogDirectoryDelaysTheLogOnly() throws Exception {
    Files.delete(places.logDirectory());
    Files.writeString(places.logDirectory(), "in the way");
    try (Tiered tiered = Tiered.with(places.xml(), Xml.FAST, Xml.MESSAGES)) {
      requireWaiting(tiered);
      Files.delete(places.logDirectory());
      tiered.flush();
      Await.until("told of the end", () -> !tiered.messages(0).isEmpty() && saysAgain(tiered));
    }
    new Oracle().producer("p", 500, 500).complete(0).requireSound(places.lines());
  }

  @Test
  void aReadOnlyLogDirectoryDelaysTheLogOnly() throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=4m,ro")) {
      Path log = memory.at().resolve("logs/app.log");
      try (Tiered tiered = Tiered.with(Xml.places(log, places.spool()), Xml.FAST, Xml.MESSAGES)) {
        requireWaiting(tiered);
        memory.remount("rw");
        tiered.flush();
        Await.until("told of the end", () -> saysAgain(tiered));
      }
      new Oracle().producer("p", 500, 500).complete(0).requireSound(LogFiles.of(log).lines());
    }
  }

  private void requireWaiting(Tiered tiered) throws Exception {
    tiered.log("p", 0, 500);
    tiered.awaitError("cannot write ", "events stay in the spool, the newest are dropped");
    assertThat(tiered.errors()).hasSize(1);
    assertThat(tiered.appender().isStarted()).isTrue();
    assertThat(tiered.snapshot().inFlight()).isEqualTo(500);
    assertThat(tiered.snapshot().dropped()).isZero();
  }

  private static boolean saysAgain(Tiered tiered) {
    return tiered.messages(0).stream().anyMatch(text -> text.contains("again"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1m", "1m,nr_inodes=15"})
  void aFullSpoolDropsAndCountsAndTheRestIsShippedByTheNextStart(String options) throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=" + options + ",mode=0700")) {
      Files.delete(places.logDirectory());
      Files.writeString(places.logDirectory(), "in the way");
      String inner =
          Xml.places(places.log(), memory.at())
              + Xml.FAST
              + "<spoolSize>2MB</spoolSize><segmentSize>64KB</segmentSize>"
              + "<ringBufferSize>1024</ringBufferSize>"
              + Xml.MESSAGES;
      Tiered first = Tiered.with(inner);
      long offered = 0;
      for (; offered < 100_000 && first.snapshot().dropped() < 500; offered += 100) {
        first.log("p", offered, 100);
        Await.pass(Duration.ofMillis(1));
      }
      assertThat(first.snapshot().dropped()).isGreaterThanOrEqualTo(500);
      var appender = first.appender();
      first.close();
      assertThat(first.errors()).allMatch(text -> text.contains("cannot write "));
      var account = appender.snapshot();
      assertThat(account.offered() - account.reports()).isEqualTo(offered);

      Files.delete(places.logDirectory());
      try (Tiered second = Tiered.with(inner)) {
        second.log("q", 0, 100).flush();
      }
      List<String> lines = places.lines();
      // The heap took over from the tmpfs, and what was there at the stop counts as dropped.
      long lostReports =
          account.reports()
              - lines.stream().filter(line -> line.contains("dropped between")).count();
      Oracle.Verdict verdict =
          new Oracle()
              .producer("p", 0, offered)
              .producer("q", 100, 100)
              .dropped(account.dropped() - lostReports)
              .complete(0)
              .requireSound(lines);
      assertThat(verdict.lineCount() + verdict.reports())
          .as("shipped by the second: %s", account)
          .isEqualTo(account.inFlight() + 100);
    }
  }
}
