package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
      assertThat(lives.spooledOnly()).as("only in spools when killed").isPositive();
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
      Oracle oracle = lives.oracle().producer("last", 10, 10);
      oracle.requireSound(LogFiles.of(log).lines());
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.kill.seed=" + seed + " " + warnings, e);
    }
    assertThat(warnings).isEmpty();
    assertThat(lives.offered()).isGreaterThan(100);
    assertThat(lives.spooled()).as("records found in spools after kills").isPositive();
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
}
