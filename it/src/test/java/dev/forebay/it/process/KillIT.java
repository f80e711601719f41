package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same log through many lives of its process, each ended by kill -9 at a random moment, some
 * among their first events. What the kills cost is told in {@code target/lost-by-kills.txt}: events
 * offered that are neither in the log nor in the spool. Where calls are durable, only an event
 * whose call had not returned may be lost; their timeout is longer than a life.
 */
@Tag("soak")
@Tag("jdk-nightly")
class KillIT {

  private static final int LIVES = Integer.getInteger("forebay.kill.lives", 5);
  private static final int FROZEN_LIVES = Integer.getInteger("forebay.kill.frozen", 2);

  /** One life in so many has its events acknowledged. */
  private static final int ACKED = 4;

  /** Slots of the ring by default. */
  private static final long RING = 8192;

  private static final int THREADS = 2;

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void tellSeed() {
    System.out.println("-Dforebay.kill.seed=" + seed);
  }

  private String inner(Path log, boolean durable) {
    return Xml.places(log, places.spool())
        + "<fsync>100 milliseconds</fsync><segmentSize>64KB</segmentSize>"
        + (durable
            ? "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>"
            : "<appendTimeout>30 seconds</appendTimeout>")
        + Xml.rollBySize(log.resolveSibling(""), "200KB")
        + Xml.MESSAGES;
  }

  private KilledLives lives(Path log, boolean durable) {
    String xml = Xml.configuration(inner(log, durable));
    return new KilledLives(places, log, xml, new Random(seed), durable);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingSpooledIsMissingDoubledOrTornAfterManyKills(boolean durable) throws Exception {
    KilledLives lives = lives(places.log(), durable);
    for (int life = 0; life < LIVES; life++) {
      lives.live(life, !durable && life % ACKED == 1);
    }
    requireSound(lives, places.log(), durable, "healthy disk");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void norAfterKillsWhileTheDiskIsFrozen(boolean durable) throws Exception {
    try (Mounted disk = Mounted.disk(places, "512m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      KilledLives lives = lives(log, durable);
      for (int life = 0; life < FROZEN_LIVES; life++) {
        lives.liveWithFrozen(disk, life);
      }
      assertThat(lives.spooledOnly).as("only in spools when killed").isPositive();
      requireSound(lives, log, durable, "frozen disk");
    }
  }

  private void requireSound(KilledLives lives, Path log, boolean durable, String disk)
      throws Exception {
    List<String> warnings;
    try (Tiered last = Tiered.with(inner(log, durable))) {
      last.log("last", 0, 10).flush();
      warnings = new ArrayList<>(last.warnings());
    }
    try {
      Oracle oracle = lives.oracle.producer("last", 10, 10);
      oracle.requireSound(LogFiles.of(log).lines());
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.kill.seed=" + seed + " " + warnings, e);
    }
    assertThat(warnings).isEmpty();
    assertThat(lives.offered).isGreaterThan(100);
    assertThat(lives.spooled).as("records found in spools after kills").isPositive();
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    // As the callers wait for a full ring, no more is lost than it holds and they had in hand.
    assertThat(lives.mostLost()).isLessThanOrEqualTo(durable ? THREADS : RING + THREADS);
    Figures.record(
        "lost-by-kills.txt",
        "%s, %s: %s; seed %d",
        durable ? "durable calls" : "calls",
        disk,
        lives,
        seed);
  }

  /**
   * One log through many lives of its process, each ended by kill -9 at a random moment, and what
   * each death cost: events that were offered and are neither in the log nor in the spool.
   */
  private static final class KilledLives {

    private static final int THREADS = 2;

    /** A thread logs so many messages, then pauses for a millisecond. */
    private static final int PACE = 3;

    /** Every so many lives one may end before it has logged anything. */
    private static final int STARTING = 4;

    private static final int SHORTEST_LIFE_MS = 20;
    private static final int LONGEST_LIFE_MS = 700;

    /** A flush is asked for after so many messages, in a life that has its events acknowledged. */
    private static final int FLUSH_EVERY = 150;

    private final Places places;
    private final Path log;
    private final String configuration;
    private final Random random;
    private final Oracle oracle = new Oracle();
    private final List<Long> lost = new ArrayList<>();

    /** A call that returns counts as acknowledged. */
    private final boolean durable;

    private final Set<Path> readArchives = new HashSet<>();
    private long offered;

    /** Records found in spools. */
    private long spooled;

    /** Of these, those that were not in the log. */
    private long spooledOnly;

    KilledLives(Places places, Path log, String configuration, Random random, boolean durable) {
      this.places = places;
      this.log = log;
      this.configuration = configuration;
      this.random = random;
      this.durable = durable;
    }

    /** Events that the costliest death took. */
    long mostLost() {
      return lost.stream().mapToLong(each -> each).max().orElse(0);
    }

    /**
     * One life. Only one that is not acknowledged counts among the losses, because a thread that
     * waits for a flush logs nothing it could lose.
     *
     * @param acked whether it waits for flushes
     */
    void live(int number, boolean acked) throws Exception {
      try (Child child = start(number, acked)) {
        if (number % STARTING == 0) {
          child.awaitUp(); // dies while it starts and recovers
        } else {
          child.awaitOffered(0, 1);
        }
        passRandomTime(child);
        child.kill();
        account(child, "life" + number + "-", !acked);
      }
    }

    /** One life whose disk stands still from some moment before its end. */
    void liveWithFrozen(Mounted disk, int number) throws Exception {
      try (Child child = start(number, false)) {
        child.awaitOffered(0, 1);
        passRandomTime(child);
        disk.freeze();
        passRandomTime(child);
        child.signal("KILL");
        disk.thaw(); // else a thread that waits for it does not die, and keeps its locks
        child.awaitEnd();
        account(child, "life" + number + "-", true);
      }
    }

    private Child start(int number, boolean acked) throws IOException {
      int acknowledge = durable ? Child.EACH_CALL : acked ? FLUSH_EVERY : 0;
      String name = "life" + number;
      Child.Task task = new Child.Task(name, THREADS, Long.MAX_VALUE, acknowledge, PACE, "exit");
      return Child.start(task, configuration, places.directory(name));
    }

    private void passRandomTime(Child child) {
      int ms = SHORTEST_LIFE_MS + random.nextInt(LONGEST_LIFE_MS - SHORTEST_LIFE_MS);
      Await.pass(Duration.ofMillis(ms));
      assertThat(child.isAlive()).as(child.output()).isTrue();
    }

    private void account(Child child, String prefix, boolean counts) throws Exception {
      child.tell(oracle);
      List<String> inLog = newLines();
      List<String> inSpool = SpoolPeek.lines(places.spool(), log);
      oracle.seen(inLog).seen(inSpool);
      Set<String> found = new HashSet<>();
      inLog.stream().filter(line -> line.startsWith(prefix)).forEach(found::add);
      long logged = found.size();
      inSpool.stream().filter(line -> line.startsWith(prefix)).forEach(found::add);
      spooled += inSpool.size();
      spooledOnly += found.size() - logged;
      long offeredHere = child.progress().offered(0) + child.progress().offered(1);
      offered += offeredHere;
      if (counts && offeredHere > 0) {
        lost.add(offeredHere - found.stream().filter(line -> Numbered.parse(line) != null).count());
      }
    }

    /** The lines of archives not read before, and of the active file. */
    private List<String> newLines() throws IOException {
      List<String> lines = new ArrayList<>();
      for (Path path : LogFiles.of(log).paths()) {
        if (path.equals(log) || readArchives.add(path)) {
          String text = new String(LogFiles.content(path), StandardCharsets.UTF_8);
          text.lines().forEach(lines::add);
        }
      }
      return lines;
    }

    @Override
    public String toString() {
      return "%d offered, %d only in spools; events lost by a kill: %s"
          .formatted(offered, spooledOnly, Figures.distribution(lost));
    }
  }
}
