package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Logs that have no next start: a name for each run, a configuration that was changed. */
class NamePerRunIT {

  private static final int MESSAGES = 300;
  private static final int MANY = 20_000; // about 2 MB
  private static final long SPOOL_BYTES = 512 << 10;
  private static final int SHORTEST_BYTES = 20;
  private static final String REST = Xml.FAST + Xml.MESSAGES;

  @AutoClose private final Places places = Places.create();

  /** A process that spools and cannot write its log, killed; what it spooled. */
  private List<String> killed(Path log, Path base, String elements) throws Exception {
    Files.createDirectory(log);
    Child.Task task = new Child.Task("first", 1, MESSAGES, 0, 0, "wait");
    String xml = Xml.configuration("<file>" + log + "</file>" + elements + REST);
    try (Child first = Child.start(task, xml, places.directory("first"))) {
      first.awaitOffered(0, MESSAGES);
      Await.until("spooled", () -> isSpooled(log, base));
      first.kill();
    }
    Files.delete(log);
    return SpoolPeek.lines(base, log);
  }

  private static boolean isSpooled(Path log, Path base) throws Exception {
    Disk disk = new NioDisk();
    SpoolDirectory spools = SpoolDirectory.openExisting(disk, base, LogIdentity.of(disk, log));
    return spools != null && SpoolPeek.segmentBytes(spools.path()) > MESSAGES * SHORTEST_BYTES;
  }

  private String inPlaces() {
    return "<spoolDirectory>" + places.spool() + "</spoolDirectory>";
  }

  @Test
  void theNextRunShipsWhatAnEarlierOneLeft() throws Exception {
    Path first = places.logDirectory().resolve("app-1.log");
    List<String> spooled = killed(first, places.spool(), inPlaces());
    Path second = places.logDirectory().resolve("app-2.log");

    try (Tiered next = Tiered.with("<file>" + second + "</file>" + inPlaces() + REST)) {
      next.log("second", 0, 10).flush();
      Await.until(
          "shipped",
          () -> Files.exists(first) && Files.readAllLines(first).size() >= spooled.size());
      assertThat(next.warnings()).isEmpty();
      assertThat(next.snapshot().delivered()).isEqualTo(10);
    }

    assertThat(Files.readAllLines(first)).isEqualTo(spooled);
    assertThat(Files.readAllLines(second)).hasSize(10);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** The first spool stays, since the shipper has begun with it; younger ones are moved. */
  @Test
  void theNextRunShipsWhatOverflowedInOrderWithTheRest() throws Exception {
    Path over = places.directory("over");
    Path first = Files.createDirectory(places.logDirectory().resolve("app-1.log"));
    String elements =
        inPlaces()
            + "<overflowDirectory>"
            + over
            + "</overflowDirectory>"
            + "<spoolSize>"
            + SPOOL_BYTES
            + "</spoolSize><segmentSize>64KB</segmentSize>"
            + "<appendTimeout>30 seconds</appendTimeout>"
            + REST;
    Child.Task task = new Child.Task("first", 1, MANY, 0, 0, "wait");
    String xml = Xml.configuration("<file>" + first + "</file>" + elements);
    String producer;
    try (Child killed = Child.start(task, xml, places.directory("first"))) {
      killed.awaitOffered(0, MANY);
      Await.until("overflows", () -> SpoolPeek.segmentBytes(over) > SPOOL_BYTES);
      producer = killed.producer(0);
      killed.kill();
    }
    int spooled = spooled(first, over).size();
    Files.delete(first);
    Path second = places.logDirectory().resolve("app-2.log");

    try (Tiered next = Tiered.with("<file>" + second + "</file>" + elements)) {
      next.log("second", 0, 10).flush();
      Await.until(
          "shipped", () -> Files.exists(first) && Files.readAllLines(first).size() >= spooled);
    }

    Oracle oracle = new Oracle().producer(producer, spooled, MANY);
    oracle.requireSound(Files.readAllLines(first));
    assertThat(spooled(first, over)).isEmpty();
  }

  private Set<String> spooled(Path log, Path over) throws Exception {
    Set<String> lines = new HashSet<>(SpoolPeek.lines(over, log));
    lines.addAll(SpoolPeek.lines(places.spool(), log));
    return lines;
  }

  @Test
  void aStartWithASpoolDirectoryLooksIntoTheDefaultOneToo() throws Exception {
    Path shared = Path.of("/dev/shm");
    Path log = places.log();
    try {
      List<String> spooled = killed(log, shared, "");

      try (Tiered next = Tiered.with("<file>" + log + "</file>" + inPlaces() + REST)) {
        next.log("second", 0, 10).flush();
      }

      assertThat(places.lines()).hasSize(spooled.size() + 10).startsWith(spooled.get(0));
      assertThat(SpoolPeek.lines(shared, log)).isEmpty();
    } finally {
      SpoolPeek.forget(shared, log);
    }
  }
}
