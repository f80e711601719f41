package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Dumps;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Strace;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A flight recorder through many lives of its process, each ended by kill -9 at a random moment,
 * also while it dumps what the life before has recorded. Each loop is dumped once, and its dump has
 * what the kill left in it, to the last record.
 */
@Tag("soak")
class FlightKillIT {

  private static final int LIVES = Integer.getInteger("forebay.flight.lives", 6);
  private static final int THREADS = 2;
  private static final int PACE = 3;
  private static final int LONGEST_LIFE_MS = 600;

  /** One life in so many may end while it starts. */
  private static final int STARTING = 4;

  /** Of so many calls of a kind, a process is killed before one. */
  private static final int STEP = Integer.getInteger("forebay.flight.step", 4);

  /** Slots of the ring by default. */
  private static final long RING = 8192;

  private final long seed = Long.getLong("forebay.flight.seed", System.nanoTime());
  private final Random random = new Random(seed);
  @AutoClose private final Places places = Places.create();
  private final Map<String, List<String>> recorded = new TreeMap<>();

  @BeforeEach
  void tellSeed() {
    System.out.println("-Dforebay.flight.seed=" + seed);
  }

  private String inner() {
    return places.xml()
        + "<segmentSize>64KB</segmentSize><appendTimeout>30 seconds</appendTimeout>"
        + "<flightRecorder><level>WARN</level><size>512 KB</size><dumpOn>OFF</dumpOn>"
        + "<maxDumps>10000</maxDumps></flightRecorder>"
        + Xml.MESSAGES;
  }

  @Test
  @Tag("jdk-nightly")
  void everyKilledLifeIsDumpedOnceToItsLastRecord() throws Exception {
    for (int life = 0; life < LIVES; life++) {
      live(life);
    }
    requireEachDumpedOnce();
    assertThat(recorded.values()).as("something was recorded").anyMatch(lines -> !lines.isEmpty());
  }

  private void requireEachDumpedOnce() throws Exception {
    List<Path> left = SpoolPeek.spools(places.spool());
    try (Tiered last = Tiered.with(inner())) {
      SpoolPeek.awaitGone(left);
      last.log("last", 0, 10).flush();
      Dumps.requireLaw(last.snapshot());
      assertThat(last.problems()).isEmpty();
    }
    Map<String, List<String>> dumped = new TreeMap<>();
    for (Path dump : DumpFiles.of(places.log())) {
      String name = dump.getFileName().toString().replaceFirst(".*crash-", "").substring(0, 8);
      assertThat(dumped.put(name, DumpFiles.events(dump))).as("dumped twice: " + dump).isNull();
    }
    assertThat(dumped.keySet()).isEqualTo(recorded.keySet());
    recorded.forEach((name, lines) -> assertThat(dumped.get(name)).as(name).isEqualTo(lines));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    assertThat(DumpFiles.unfinished(places.log())).isEmpty();
  }

  @Test
  void theNextStartDeletesWhatAKillLeftUnfinished() throws Exception {
    String inner =
        places.xml()
            + "<flightRecorder><dumpOn>INFO</dumpOn><after>1 minute</after></flightRecorder>"
            + Xml.MESSAGES;
    Child.Task task = new Child.Task("killed", 1, 10, 0, 0, "wait");
    try (Child child = Child.start(task, Xml.configuration(inner), places.directory("killed"))) {
      Await.until("a dump is begun", () -> !DumpFiles.unfinished(places.log()).isEmpty());
      child.kill();
    }
    List<Path> left = SpoolPeek.spools(places.spool());
    try (Tiered next = Tiered.with(inner)) {
      SpoolPeek.awaitGone(left);
      assertThat(DumpFiles.unfinished(places.log())).isEmpty();
      assertThat(DumpFiles.of(places.log())).singleElement().asString().contains(".crash-");
      assertThat(next.problems()).isEmpty();
    }
  }

  /** The calls with which a dump is written, named and its loop deleted. */
  @ParameterizedTest
  @CsvSource({"rename, 8", "pwrite64, 8", "fdatasync, 3", "fsync, 4", "unlink, 10", "rmdir, 3"})
  void aDumpIsCompleteWhereverTheProcessThatWritesItDies(String call, int calls) throws Exception {
    assumeTrue(Strace.works(), Strace.MISSING);
    int killed = 0;
    for (int number = 1; number <= calls; number += STEP) {
      live(number * STARTING + 1);
      Child.Task task = new Child.Task("again" + number, 1, 20, 0, 0, "stop");
      String[] killing = Strace.killing(new Strace.Point(call, number, ""));
      try (Child again =
          Child.start(task, Xml.configuration(inner()), places.directory(task.name()), killing)) {
        killed += again.awaitEnd() == 0 ? 0 : 1;
      }
      SpoolPeek.loops(places.spool(), places.log()).forEach(recorded::putIfAbsent);
    }
    requireEachDumpedOnce();
    assertThat(killed).as("killed before " + call).isPositive();
  }

  private void live(int life) throws Exception {
    String name = "life" + life;
    Child.Task task = new Child.Task(name, THREADS, Long.MAX_VALUE, 0, PACE, "exit");
    try (Child child = Child.start(task, Xml.configuration(inner()), places.directory(name))) {
      if (life % STARTING == 0) {
        child.awaitUp();
      } else {
        child.awaitOffered(0, 1);
      }
      Await.pass(Duration.ofMillis(20 + random.nextInt(LONGEST_LIFE_MS)));
      assertThat(child.isAlive()).as(child.output()).isTrue();
      child.kill();
      SpoolPeek.loops(places.spool(), places.log()).forEach(recorded::putIfAbsent);
      require(child, name);
    }
  }

  /** What the life recorded has no hole and ends where the ring began. */
  private void require(Child child, String name) {
    for (List<String> lines : recorded.values()) {
      if (!lines.isEmpty() && lines.get(0).startsWith(name + "-")) {
        Map<String, Long> next = Dumps.requireGapless(lines);
        for (int thread = 0; thread < THREADS; thread++) {
          long offered = child.progress().offered(thread);
          long reached = next.getOrDefault(child.producer(thread), 0L);
          assertThat(offered - reached).as("only in the ring").isLessThanOrEqualTo(RING + 2);
          assertThat(reached).isLessThanOrEqualTo(offered);
        }
      }
    }
  }
}
