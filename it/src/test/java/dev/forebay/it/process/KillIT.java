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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same log through many lives of its process, each ended by kill -9 at a random moment. What
 * the kills cost is told in {@code target/lost-by-kills.txt}: events offered that are neither in
 * the log nor in the spool, and the same as a time, at the rate of the last 100 ms before the kill.
 * On a machine that is busy with other things these times say more about its scheduler.
 */
@Tag("soak")
@Tag("jdk")
class KillIT {

  private static final int LIVES = Integer.getInteger("forebay.kill.lives", 12);
  private static final int FROZEN_LIVES = Integer.getInteger("forebay.kill.frozen", 3);

  /** One life in so many has its events acknowledged. */
  private static final int ACKED = 4;

  /** Slots of the ring by default. */
  private static final long RING = 8192;

  private static final String DISK_SIZE = "512m";
  private static final String FIGURES = "lost-by-kills.txt";

  /** Appenders others use for the same purpose; they keep no account, so lines are counted. */
  enum Peer {
    ASYNC(
        "ch.qos.logback.classic.AsyncAppender",
        "<queueSize>65536</queueSize><neverBlock>true</neverBlock>"
            + "<discardingThreshold>0</discardingThreshold>"),
    DISRUPTOR(
        "net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender",
        "<ringBufferSize>65536</ringBufferSize>");

    private final String type;
    private final String settings;

    Peer(String type, String settings) {
      this.type = type;
      this.settings = settings;
    }

    /** The peer in front of Logback's appender for the same files. */
    String configuration(Path log) {
      return """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
          <file>%s</file>%s
        </appender>
        <appender name="LOG" class="%s">%s<appender-ref ref="FILE"/></appender>
        <root level="TRACE"><appender-ref ref="LOG"/></root>
      </configuration>
      """
          .formatted(log, rolling(log), type, settings);
    }
  }

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void tellSeed() {
    System.out.println("-Dforebay.kill.seed=" + seed);
  }

  private static String rolling(Path log) {
    return Xml.rollBySize(log.resolveSibling(""), "200KB") + Xml.MESSAGES;
  }

  private String inner(Path log) {
    return Xml.places(log, places.spool())
        + "<fsync>100 milliseconds</fsync><segmentSize>64KB</segmentSize>"
        + "<appendTimeout>30 seconds</appendTimeout>"
        + rolling(log);
  }

  @Test
  void nothingSpooledIsMissingDoubledOrTornAfterManyKills() throws Exception {
    Path log = places.log();
    KilledLives lives = lives(log, Xml.configuration(inner(log)));
    for (int life = 0; life < LIVES; life++) {
      lives.live(life, life % ACKED == 1);
    }
    requireSound(lives, log);
    record("TieredAppender, healthy disk", LIVES, lives);
  }

  @Test
  void nothingSpooledIsMissingDoubledOrTornAfterKillsWhileTheDiskIsFrozen() throws Exception {
    try (Mounted disk = Mounted.disk(places, DISK_SIZE)) {
      Path log = disk.at().resolve("log").resolve("app.log");
      KilledLives lives = lives(log, Xml.configuration(inner(log)));
      for (int life = 0; life < FROZEN_LIVES; life++) {
        lives.liveWithFrozen(disk, life);
      }
      assertThat(lives.spooledOnly()).as("only in spools when killed").isPositive();
      requireSound(lives, log);
      record("TieredAppender, frozen disk", FROZEN_LIVES, lives);
    }
  }

  @Tag("soak-only")
  @ParameterizedTest
  @EnumSource
  void comparesWhatAPeerLosesInKills(Peer peer) throws Exception {
    KilledLives lives = lives(places.log(), peer.configuration(places.log()));
    for (int life = 0; life < LIVES; life++) {
      lives.live(life, false);
    }
    record(peer + ", healthy disk", LIVES, lives);
  }

  @Tag("soak-only")
  @ParameterizedTest
  @EnumSource
  void comparesWhatAPeerLosesInKillsWhileTheDiskIsFrozen(Peer peer) throws Exception {
    try (Mounted disk = Mounted.disk(places, DISK_SIZE)) {
      Path log = disk.at().resolve("log").resolve("app.log");
      KilledLives lives = lives(log, peer.configuration(log));
      for (int life = 0; life < FROZEN_LIVES; life++) {
        lives.liveWithFrozen(disk, life);
      }
      record(peer + ", frozen disk", FROZEN_LIVES, lives);
    }
  }

  private KilledLives lives(Path log, String configuration) {
    return new KilledLives(places, log, configuration, random);
  }

  private void requireSound(KilledLives lives, Path log) throws Exception {
    List<String> warnings;
    try (Tiered last = Tiered.with(inner(log))) {
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
    assertThat(lives.offered()).isGreaterThan(1000);
    assertThat(lives.spooled()).as("records found in spools after kills").isPositive();
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    // As the callers wait for a full ring, no more is lost than it holds and they had in hand.
    assertThat(lives.losses().max()).isLessThanOrEqualTo(RING + 2);
    assertThat(lives.coldLosses().max()).isLessThanOrEqualTo(RING + 2);
  }

  private void record(String what, int kills, KilledLives lives) throws IOException {
    Figures.record(
        FIGURES,
        "%-28s %3d kills, %7d offered, %6d only in spools; lost a kill: %s; "
            + "among the first events of a process: %s; seed %d",
        what,
        kills,
        lives.offered(),
        lives.spooledOnly(),
        lives.losses(),
        lives.coldLosses(),
        seed);
  }
}
