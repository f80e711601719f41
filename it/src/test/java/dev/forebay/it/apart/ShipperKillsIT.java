package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One log that rolls, and {@code kill -9} at random moments: of the application, of the process
 * that ships for it, of both. Every second life of the application has durable calls: what they
 * returned for was in the spool. With a fallback there is often no shipper, and the application
 * ships itself and hands back.
 */
@Tag("soak")
class ShipperKillsIT {

  private static final int KILLS = Integer.getInteger("forebay.apart.kills", 100);
  private static final int KILLS_OF_A_BUILD = 6;
  private static final int THREADS = 2;

  /** A thread logs so many messages, then pauses for a millisecond. */
  private static final int PACE = 3;

  /** Slots of the ring by default. */
  private static final long RING = 8192;

  private static final int LONGEST_MS = 500;

  /** Fallbacks: the second is shorter than it takes to start a shipper. */
  private static final String NEVER = "never";

  private static final String SOON = "100 milliseconds";

  private static final String DURABLE =
      "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>";

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  @AutoClose private final Places places = Places.create();

  @ParameterizedTest
  @ValueSource(strings = {NEVER, SOON})
  void whatWasSpooledIsInTheLogOnceAndInOrderHoweverOftenEitherIsKilled(String fallback)
      throws Exception {
    new Kills(fallback, places.log(), null).requireSoundAfter(KILLS_OF_A_BUILD);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {NEVER, SOON})
  void norIsALineLostOrDoubledByAHundredKills(String fallback) throws Exception {
    new Kills(fallback, places.log(), null).requireSoundAfter(KILLS);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {NEVER, SOON})
  void norByKillsWhileTheDiskIsFrozen(String fallback) throws Exception {
    try (Mounted disk = Mounted.disk(places, "512m")) {
      Path log = disk.at().resolve("log").resolve("app.log");
      new Kills(fallback, log, disk).requireSoundAfter(KILLS / 5);
    }
  }

  /** One series of kills. */
  private final class Kills {

    private final Random random = new Random(seed);
    private final String fallback;
    private final Path log;
    private final @Nullable Mounted disk;
    private final Oracle oracle = new Oracle();

    /** Applications that were killed. */
    private final List<Child> dead = new ArrayList<>();

    private @Nullable Child app;
    private @Nullable Ship ship;
    private int lives;
    private int ships;

    Kills(String fallback, Path log, @Nullable Mounted disk) {
      this.fallback = fallback;
      this.log = log;
      this.disk = disk;
    }

    private void requireSoundAfter(int kills) throws Exception {
      System.out.println("-Dforebay.kill.seed=" + seed);
      try {
        for (int i = 0; i < kills; i++) {
          startMissing(fallback.equals(NEVER) || random.nextBoolean());
          passRandomTime();
          if (disk != null) {
            disk.freeze();
            passRandomTime();
          }
          killSome();
        }
        endWell();
        requireSound(kills);
      } catch (AssertionError e) {
        throw new AssertionError("-Dforebay.kill.seed=" + seed + " " + fallback + " " + ship, e);
      } finally {
        if (app != null) {
          app.close();
        }
        if (ship != null) {
          ship.close();
        }
      }
    }

    /** Some applications may be killed before they have logged anything. */
    private void startMissing(boolean withShipper) throws Exception {
      if (ship == null && withShipper) {
        ship = Ship.launch(places.root().resolve("ship" + ships++), places.spool());
      }
      if (app == null) {
        app = startApp(lives++);
        if (lives % 4 == 0) {
          app.awaitUp();
        } else {
          app.awaitOffered(0, 1);
        }
      }
    }

    private Child startApp(int life) throws IOException {
      boolean isDurable = life % 2 == 0;
      String inner =
          Apart.inner(
              fallback,
              log,
              places.spool(),
              Xml.rollBySize(log.getParent(), "200KB"),
              "<segmentSize>64KB</segmentSize>",
              isDurable ? DURABLE : Apart.PATIENT);
      String name = "life" + life;
      int acknowledge = isDurable ? Child.EACH_CALL : 0;
      Child.Task task =
          new Child.Task(name, THREADS, Long.MAX_VALUE, acknowledge, PACE, "released");
      return Child.start(task, Xml.configuration(inner), places.directory(name));
    }

    private void passRandomTime() {
      Await.pass(Duration.ofMillis(random.nextInt(LONGEST_MS)));
    }

    /** A process one of whose threads waits for the disk is gone once that thaws. */
    private void killSome() throws Exception {
      Child child = alive();
      int kind = random.nextInt(3);
      Ship other = ship;
      boolean isShipperKilled = other != null && kind != 0;
      boolean isAppKilled = kind != 1 || !isShipperKilled;
      if (other != null && isShipperKilled) {
        assertThat(other.isAlive()).as(other.output()).isTrue();
        other.signal("KILL");
      }
      if (isAppKilled) {
        child.signal("KILL");
      }
      if (disk != null) {
        disk.thaw();
      }
      if (other != null && isShipperKilled) {
        other.kill();
        ship = null;
      }
      if (isAppKilled) {
        child.kill();
        child.tell(oracle);
        dead.add(child);
        app = null;
      }
      if (app == null && ship == null) {
        oracle.seen(SpoolPeek.lines(places.spool(), log));
      }
    }

    private Child alive() {
      if (app == null || !app.isAlive()) {
        throw new AssertionError("no application: " + (app == null ? "" : app.output()));
      }
      return app;
    }

    private Ship ships() {
      if (ship == null || !ship.isAlive()) {
        throw new AssertionError("no shipper: " + ship);
      }
      return ship;
    }

    private void endWell() throws Exception {
      startMissing(true);
      Child child = alive();
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.dropped()).as(child.account()).isZero();
      assertThat(child.status().lines().count())
          .isLessThanOrEqualTo(fallback.equals(NEVER) ? 0 : 1);
      child.tell(oracle);
      ships().awaitUp().awaitDrained().end();
    }

    private void requireSound(int kills) throws Exception {
      Oracle.Verdict verdict = oracle.requireSound(LogFiles.of(log).lines());
      assertThat(verdict.reports()).isZero();
      List<Long> lost = new ArrayList<>();
      for (Child child : dead) {
        long lines = 0;
        for (int thread = 0; thread < THREADS; thread++) {
          lines += verdict.lines().getOrDefault(child.producer(thread), 0L);
        }
        lost.add(child.offered() - lines);
      }
      assertThat(lost).as("only what was in the ring").allMatch(events -> events <= RING + THREADS);
      Figures.record(
          "lost-by-kills.txt",
          "apart, fallback %s, %s disk: %d kills, %d applications, %d shippers, %d lines in %d files;"
              + " events lost by a kill: %s; seed %d",
          fallback,
          disk == null ? "healthy" : "frozen",
          kills,
          lives,
          ships,
          verdict.lineCount(),
          LogFiles.of(log).fileCount(),
          Figures.distribution(lost),
          seed);
    }
  }
}
