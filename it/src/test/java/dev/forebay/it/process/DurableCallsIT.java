package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
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
import org.junit.jupiter.api.Test;

/**
 * Many lives of one process whose log calls are durable, each ended by kill -9 at a random moment,
 * some among their first events. An event whose call returned is in the log or in the spool. The
 * timeout is longer than a life, so no call returns unconfirmed.
 */
@Tag("soak")
class DurableCallsIT {

  private static final int LIVES = Integer.getInteger("forebay.durable.lives", 4);
  private static final int FROZEN_LIVES = Integer.getInteger("forebay.durable.frozen", 4);
  private static final String DISK_SIZE = "512m";
  private static final String FIGURES = "lost-by-kills.txt";

  /** Those in which a thread is when the kill comes. */
  private static final int CALLS_IN_PROGRESS = 2;

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void tellSeed() {
    System.out.println("-Dforebay.kill.seed=" + seed);
  }

  private String inner(Path log) {
    return Xml.places(log, places.spool())
        + "<fsync>100 milliseconds</fsync><segmentSize>64KB</segmentSize>"
        + "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>"
        + Xml.rollBySize(log.resolveSibling(""), "200KB")
        + Xml.MESSAGES;
  }

  private KilledLives lives(Path log) {
    return new KilledLives(places, log, Xml.configuration(inner(log)), new Random(seed))
        .acknowledgingEachCall();
  }

  @Test
  void noEventWhoseCallReturnedIsLostByAKill() throws Exception {
    Path log = places.log();
    KilledLives lives = lives(log);
    for (int life = 0; life < LIVES; life++) {
      lives.live(life, false);
    }
    requireSound(lives, log, LIVES, "durable calls, healthy disk");
  }

  @Test
  void noEventWhoseCallReturnedIsLostByAKillWhileTheDiskIsFrozen() throws Exception {
    try (Mounted disk = Mounted.disk(places, DISK_SIZE)) {
      Path log = disk.at().resolve("log").resolve("app.log");
      KilledLives lives = lives(log);
      for (int life = 0; life < FROZEN_LIVES; life++) {
        lives.liveWithFrozen(disk, life);
      }
      assertThat(lives.spooledOnly()).as("only in spools when killed").isPositive();
      requireSound(lives, log, FROZEN_LIVES, "durable calls, frozen disk");
    }
  }

  private void requireSound(KilledLives lives, Path log, int kills, String what) throws Exception {
    List<String> warnings;
    try (Tiered last = Tiered.with(inner(log))) {
      last.log("last", 0, 10).flush();
      warnings = new ArrayList<>(last.warnings());
    }
    try {
      lives.oracle().producer("last", 10, 10).requireSound(LogFiles.of(log).lines());
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.kill.seed=" + seed + " " + warnings, e);
    }
    assertThat(warnings).isEmpty();
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    assertThat(lives.losses().max()).isLessThanOrEqualTo(CALLS_IN_PROGRESS);
    assertThat(lives.coldLosses().max()).isLessThanOrEqualTo(CALLS_IN_PROGRESS);
    Figures.record(
        FIGURES,
        "%-28s %3d kills, %7d offered, %6d only in spools; in progress at a kill: %s; seed %d",
        what,
        kills,
        lives.offered(),
        lives.spooledOnly(),
        lives.losses(),
        seed);
  }
}
