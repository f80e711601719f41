package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.apart.Ship;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Oracle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code kill -9} at random moments: of an application with durable calls that only spools, of the
 * process that ships for it, of both, of the broker. What a call has returned from was in the
 * spool, and is in the topic once.
 */
@Tag("kafka")
class KafkaApartKillsIT extends SharedBroker {

  private static final int KILLS = Integer.getInteger("forebay.apart.kills", 60);
  private static final int KILLS_OF_A_BUILD = 4;
  private static final int LONGEST_MS = 500;

  /** Shorter than it takes to start a shipper. */
  private static final String SOON =
      "<shipping>apart</shipping><shippingFallback>100 milliseconds</shippingFallback>";

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Oracle oracle = new Oracle();
  private @Nullable Child app;
  private @Nullable Ship ship;
  private int lives;
  private int ships;

  @Test
  void eachSpooledEventIsInTheTopicOnceWhoeverIsKilled() throws Exception {
    requireEachOnce(KafkaApartIT.NEVER, KILLS_OF_A_BUILD, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {KafkaApartIT.NEVER, SOON})
  @Tag("nightly")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void norIsOneLostOrRepeatedByManyKillsOfTheBrokerToo(String apart) throws Exception {
    requireEachOnce(apart, KILLS, true);
  }

  private void requireEachOnce(String apart, int kills, boolean brokerToo) throws Exception {
    System.out.println("-Dforebay.kill.seed=" + seed);
    boolean isAlwaysShipped = apart.equals(KafkaApartIT.NEVER);
    Topic topic =
        new Topic(broker.address(), "kills" + kills + isAlwaysShipped).create(3, Map.of());
    Applications applications = new Applications(places, broker.address(), topic.name(), "");
    try {
      for (int i = 0; i < kills; i++) {
        startMissing(applications, apart, isAlwaysShipped || random.nextBoolean());
        passRandomTime();
        boolean isBrokerKilled = brokerToo && random.nextInt(4) == 0;
        if (isBrokerKilled) {
          broker.kill();
          passRandomTime();
        }
        killSome();
        if (isBrokerKilled) {
          broker.start();
        }
      }
      endWell(applications, apart);
      Oracle.Verdict verdict = Committed.of(topic).requireSound(oracle);
      Figures.record(
          "kafka.txt",
          "apart: %d kills, %d applications, %d shippers: each of %d events once in the topic; seed"
              + " %d",
          kills,
          lives,
          ships,
          verdict.lineCount(),
          seed);
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.kill.seed=" + seed + " " + apart + " " + ship, e);
    } finally {
      if (app != null) {
        app.close();
      }
      if (ship != null) {
        ship.close();
      }
    }
  }

  private void startMissing(Applications applications, String apart, boolean withShipper)
      throws Exception {
    if (ship == null && withShipper) {
      ship =
          Ship.launchWith(
              applications.shipperJars(), places.root().resolve("ship" + ships++), places.spool());
    }
    if (app == null) {
      Child.Task task =
          new Child.Task(
              "life" + lives++, 2, Long.MAX_VALUE, Child.EACH_CALL, Applications.PACE, "released");
      app = applications.start(task, apart, List.of());
      app.awaitOffered(0, 1 + random.nextInt(100));
    }
  }

  private void passRandomTime() {
    Await.pass(Duration.ofMillis(random.nextInt(LONGEST_MS)));
  }

  private void killSome() throws Exception {
    Child child = alive();
    Ship other = ship;
    int kind = random.nextInt(3);
    boolean isShipperKilled = other != null && kind != 0;
    if (other != null && isShipperKilled) {
      assertThat(other.isAlive()).as(other.output()).isTrue();
      other.kill();
      ship = null;
    }
    if (kind != 1 || !isShipperKilled) {
      child.kill();
      child.tell(oracle);
      app = null;
    }
  }

  private Child alive() {
    if (app == null || !app.isAlive()) {
      throw new AssertionError("no application: " + (app == null ? "" : app.output()));
    }
    return app;
  }

  private void endWell(Applications applications, String apart) throws Exception {
    startMissing(applications, apart, true);
    Child child = alive();
    child.release();
    assertThat(child.awaitEnd()).as(child.output()).isZero();
    assertThat(child.dropped()).as(child.account()).isZero();
    child.tell(oracle);
    Ship last = ship;
    if (last == null) {
      throw new AssertionError("no shipper");
    }
    last.awaitUp().awaitDrained().terminate();
  }
}
