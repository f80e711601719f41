package dev.forebay.it.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A spool that is wiped with events in it; one without is an attack. */
class LostSpoolIT {

  @AutoClose private final Places places = Places.create();

  /** What the appender makes there meanwhile may stay: a writer is faster than who deletes. */
  private static void wipe(Path base) throws IOException {
    Command.exitCode("find", base.toString(), "-mindepth", "1", "-delete");
  }

  private static void awaitNewSpool(Path base, List<Path> before) throws Exception {
    Await.until("a new spool", () -> !before.containsAll(SpoolPeek.spools(base)));
  }

  private static void requireCounted(Tiered tiered, Load load, Path log) throws Exception {
    tiered.log("fresh", 0, 10).flush();
    LedgerSnapshot flushed = tiered.snapshot();
    assertThat(flushed.inFlight())
        .as("but for reports of the loss, which come when they come: %s", flushed)
        .isLessThanOrEqualTo(flushed.reports());
    Await.until("nothing in flight", () -> tiered.snapshot().inFlight() == 0);
    LedgerSnapshot account = tiered.snapshot();
    assertThat(account.dropped()).isEqualTo(account.dropped(DropReason.SPOOL_LOST));
    assertThat(tiered.errors()).isEmpty();
    Oracle.Verdict verdict =
        load.oracle()
            .producer("fresh", 10, 10)
            .dropped(account.dropped())
            .complete(0)
            .requireSound(LogFiles.of(log).lines());
    assertThat(verdict.lines()).containsEntry("fresh", 10L);
  }

  /** As systemd does to /dev/shm when the last session of a user ends. */
  @Test
  void eventsThatWereOnlyInAWipedSpoolAreCounted() throws Exception {
    try (Mounted disk = Mounted.disk(places)) {
      Path log = disk.at().resolve("app.log");
      String inner = Xml.places(log, places.spool()) + Xml.FAST + Xml.MESSAGES;
      try (Tiered tiered = Tiered.with(inner, "<segmentSize>64KB</segmentSize>");
          Load load = Load.on(tiered)) {
        load.requireGoingOn();
        tiered.flush().calls().reset();
        disk.freeze();
        load.requireGoingOn(Duration.ofMillis(300));
        List<Path> before = SpoolPeek.spools(places.spool());
        wipe(places.spool());
        awaitNewSpool(places.spool(), before);
        load.requireGoingOn();
        disk.thaw();
        tiered.calls().record("spool wiped with events in it, log disk stalled");
        load.requireGoingOn().stop();
        requireCounted(tiered, load, log);
        long lost = tiered.snapshot().dropped();
        assertThat(lost).isGreaterThan(100);
        assertThat(tiered.warnings())
            .singleElement()
            .asString()
            .contains(lost + " records of the spool " + places.spool(), "cannot be read");
      }
    }
  }
}
