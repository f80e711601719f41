package dev.forebay.it.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.ChildReports;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Killable;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One log that rolls, and {@code kill -9} at random moments: of the application, of the process
 * that ships for it, of both. Every second life of the application has durable calls: what they
 * returned for was in the spool. With a fallback there is often no shipper, and the application
 * ships itself and hands back.
 */
public final class Kills {

  /** How many, in a build that has time. */
  public static final int ALL = Integer.getInteger("forebay.apart.kills", 100);

  /** Fallbacks: the second is shorter than it takes to start a shipper. */
  public static final String NEVER = "never";

  public static final String SOON = "100 milliseconds";

  private static final int THREADS = 2;

  /** A thread logs so many messages, then pauses for a millisecond. */
  private static final int PACE = 3;

  /** Slots of the ring by default. */
  private static final long RING = 8192;

  private static final int LONGEST_MS = 500;

  private static final String DURABLE =
      "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>";

  /** Starts what is killed. */
  public interface Starter {

    /**
     * A life of the application whose main method runs.
     *
     * @param more for {@link Kills#inner}
     */
    App app(Child.Task task, String more) throws Exception;

    /** A process that ships, perhaps not yet. */
    Killable shipper(int number) throws Exception;
  }

  /** An application, and what it reports. */
  public record App(Killable process, ChildReports reports) {}

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final String name;
  private final String fallback;
  private final Starter starter;
  private final Path log;
  private final Path spool;
  private final @Nullable Mounted disk;
  private final Oracle oracle = new Oracle();

  /** Applications that were killed. */
  private final List<ChildReports> dead = new ArrayList<>();

  private @Nullable App app;
  private @Nullable Killable ship;
  private int lives;
  private int ships;

  /**
   * A series.
   *
   * @param name of what is killed where, for the record
   * @param log the log as this process sees it
   * @param disk to be frozen at each kill, if any
   */
  public Kills(
      String name, String fallback, Starter starter, Path log, Path spool, @Nullable Mounted disk) {
    this.name = name;
    this.fallback = fallback;
    this.starter = starter;
    this.log = log;
    this.spool = spool;
    this.disk = disk;
  }

  /** Elements of the appender, with the places as the killed see them. */
  public static String inner(String fallback, Path log, Path spool, String more) {
    return Apart.inner(
        fallback,
        log,
        spool,
        Xml.rollBySize(log.getParent(), "200KB"),
        "<segmentSize>64KB</segmentSize>",
        more);
  }

  /** Kills so often, lets all end well, and judges the log. */
  public void requireSoundAfter(int kills) throws Exception {
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
      requireSound(kills, endWell());
    } catch (AssertionError e) {
      String said = ship == null ? "" : ship.output();
      throw new AssertionError("-Dforebay.kill.seed=" + seed + " " + fallback + " " + said, e);
    } finally {
      if (app != null) {
        app.process().close();
      }
      if (ship != null) {
        ship.close();
      }
    }
  }

  /** Some applications may be killed before they have logged anything. */
  private void startMissing(boolean withShipper) throws Exception {
    if (ship == null && withShipper) {
      ship = starter.shipper(ships++);
    }
    if (app == null) {
      App next = startApp(lives++);
      app = next;
      if (lives % 4 != 0) {
        Await.process(
            "a message: " + next.process().output(),
            () -> next.reports().progress().offered(0) > 0 || !next.process().isAlive());
      }
    }
  }

  private App startApp(int life) throws Exception {
    boolean isDurable = life % 2 == 0;
    int acknowledge = isDurable ? Child.EACH_CALL : 0;
    Child.Task task =
        new Child.Task("life" + life, THREADS, Long.MAX_VALUE, acknowledge, PACE, "released");
    return starter.app(task, isDurable ? DURABLE : Apart.PATIENT);
  }

  private void passRandomTime() {
    Await.pass(Duration.ofMillis(random.nextInt(LONGEST_MS)));
  }

  /** A process one of whose threads waits for the disk is gone once that thaws. */
  private void killSome() throws Exception {
    App child = alive();
    Killable other = ship;
    int kind = random.nextInt(3);
    boolean isShipperKilled = other != null && kind != 0;
    boolean isAppKilled = kind != 1 || !isShipperKilled;
    if (other != null && isShipperKilled) {
      assertThat(other.isAlive()).as(other.output()).isTrue();
      other.signal("KILL");
    }
    if (isAppKilled) {
      child.process().signal("KILL");
    }
    if (disk != null) {
      disk.thaw();
    }
    if (other != null && isShipperKilled) {
      int unused = other.awaitEnd();
      other.close();
      ship = null;
    }
    if (isAppKilled) {
      int unused = child.process().awaitEnd();
      child.process().close();
      child.reports().tell(oracle);
      dead.add(child.reports());
      app = null;
    }
    if (app == null && ship == null) {
      oracle.seen(SpoolPeek.lines(spool));
    }
  }

  private App alive() {
    if (app == null || !app.process().isAlive()) {
      throw new AssertionError("no application: " + (app == null ? "" : app.process().output()));
    }
    return app;
  }

  /** The last life of the application; all that was spooled is shipped. */
  private ChildReports endWell() throws Exception {
    startMissing(true);
    App child = alive();
    child.reports().release();
    assertThat(child.process().awaitEnd()).as(child.process().output()).isZero();
    assertThat(child.reports().dropped()).as(child.reports().account()).isZero();
    assertThat(child.reports().status().lines().count())
        .isLessThanOrEqualTo(fallback.equals(NEVER) ? 0 : 1);
    child.reports().tell(oracle);
    Killable last = ship;
    if (last == null) {
      throw new AssertionError("no shipper");
    }
    Ship.endDrained(last, spool);
    return child.reports();
  }

  private void requireSound(int kills, ChildReports last) throws Exception {
    Oracle.Verdict verdict = oracle.requireSound(LogFiles.of(log).lines());
    assertThat(verdict.reports()).isZero();
    List<Long> lost = new ArrayList<>();
    for (ChildReports life : dead) {
      lost.add(life.lost(verdict));
    }
    assertThat(lost).as("only what was in the ring").allMatch(events -> events <= RING + THREADS);
    assertThat(last.lost(verdict)).as("offered = delivered").isZero();
    Figures.record(
        "lost-by-kills.txt",
        "apart, %s, fallback %s: %d kills, %d applications, %d shippers, %d lines in %d files;"
            + " events lost by a kill: %s; seed %d",
        name,
        fallback,
        kills,
        lives,
        ships,
        verdict.lineCount(),
        LogFiles.of(log).fileCount(),
        Figures.distribution(lost),
        seed);
  }
}
