package dev.forebay.it.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

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
}
