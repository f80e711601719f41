package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A log disk without room, and a limit on the size of files. */
class FullDiskIT {

  @AutoClose private final Places places = Places.create();

  @Test
  void aDiskThatFillsUpUnderLoadTearsAndLosesNothing() throws Exception {
    try (Mounted disk = Mounted.disk(places, "2m", "defaults", "-m", "0", "-O", "^has_journal")) {
      Path log = disk.at().resolve("app.log");
      Path filler = disk.at().resolve("filler");
      String inner = Xml.places(log, places.spool()) + Xml.FAST + Xml.MESSAGES;
      try (Tiered tiered = Tiered.with(inner)) {
        tiered.log("p", 0, 100).flush();
        Files.write(filler, new byte[1 << 20]);
        fill(filler);
        Files.write(filler, new byte[(int) Files.size(filler) - (96 << 10)]); // leaves a little
        tiered.calls().reset();
        try (Load load = Load.on(tiered)) {
          tiered.awaitWarning("cannot write " + log + ": java.io.IOException: No space left");
          load.requireGoingOn();
          assertThat(tiered.snapshot().inFlight()).isGreaterThan(300);
          Files.delete(filler);
          tiered.calls().record("log disk full");
          Oracle oracle = load.requireGoingOn().endWithoutLoss().producer("p", 100, 100);
          assertThat(tiered.warnings()).hasSize(1);
          oracle.requireSound(LogFiles.of(log).lines());
        }
      }
    }
  }

  private static void fill(Path filler) throws IOException {
    byte[] block = new byte[4096];
    try (var out = Files.newOutputStream(filler, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  /** The limit falls into a line: the kernel takes the part before it, then refuses (EFBIG). */
  @Test
  void aLimitOnTheSizeOfFilesTearsAndLosesNothing() throws Exception {
    assumeTrue(Command.exists("prlimit"), "no prlimit: install util-linux");
    long limit = 200_001;
    String inner = places.xml() + Xml.FAST + "<segmentSize>64KB</segmentSize>" + Xml.MESSAGES;
    Child.Task task = new Child.Task("limited", 2, 2000, 0, 5, "wait");
    String[] around = {"prlimit", "--fsize=" + limit + ":unlimited"};
    Oracle oracle = new Oracle();
    try (Child child =
        Child.start(task, Xml.configuration(inner), places.directory("limited"), around)) {
      child.awaitOffered(0, 2000);
      child.awaitOffered(1, 2000);
      Await.until("told", () -> child.status().contains("File too large"));
      // Each new attempt cuts the torn line off and is refused in the same place.
      Await.until("short write before the refusal", () -> Files.size(places.log()) == limit);
      CallTimes.record("limit on the size of files", child.progress().longestCallNs());
      Command.run("prlimit", "--pid", String.valueOf(child.pid()), "--fsize=unlimited:unlimited");
      Await.until("all", () -> Files.size(places.log()) > limit && places.lines().size() == 4000);
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.account()).contains("dropped 0 ").endsWith("in flight 0");
      child.tell(oracle);
    }
    oracle.complete(0).requireSound(places.lines());
  }
}
