package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.KillPoint;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One program through many lives, each ended by kill -9: at a random moment, or where the client
 * says that it has come to a point of a transaction. In every second life the broker dies too.
 */
@Tag("nightly")
class KafkaKillsIT {

  private static final int LIVES = Integer.getInteger("forebay.kafka.lives", 200);
  private static final int LONGEST_LIFE_MS = 700;

  private static final String CLIENT =
      "org.apache.kafka.clients.producer.internals.TransactionManager";

  /** What the client says before and after it sends, and before and after it commits. */
  private static final List<String> POINTS =
      List.of(
          "to state INITIALIZING",
          "to state IN_TRANSACTION",
          "Begin adding offsets",
          "Received TxnOffsetCommit response",
          "to state COMMITTING_TRANSACTION",
          "committed=true",
          "COMMITTING_TRANSACTION to state READY");

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Oracle oracle = new Oracle();
  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void tellSeed() {
    System.out.println("-Dforebay.kill.seed=" + seed);
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void eachEventIsInTheTopicOnceHoweverManyLivesItTook() throws Exception {
    try (Broker broker = Broker.in(places.directory("broker")).start()) {
      Topic topic = new Topic(broker.address(), "kills").create(3, Map.of());
      Applications applications = new Applications(places, broker.address(), topic.name(), "");
      for (int life = 0; life < LIVES; life++) {
        live(life, applications, broker);
      }
      requireEachOnce(applications, topic);
    }
  }

  @Test
  void withoutTransactionsNothingIsMissingAndRepeatsCanBeTold() throws Exception {
    try (Broker broker = Broker.in(places.directory("broker")).start()) {
      Topic topic = new Topic(broker.address(), "atLeastOnce").create();
      Applications applications =
          new Applications(
              places, broker.address(), topic.name(), "<transactions>false</transactions>");
      for (int life = 0; life < LIVES / 10; life++) {
        live(2 * life, applications, broker);
      }
      assertThat(applications.last()).isEmpty();
      oracle.producer("last-0", Applications.LAST, Applications.LAST);
      Committed.of(topic).withoutRepeats().requireSound(oracle);
    }
  }

  private void requireEachOnce(Applications applications, Topic topic) throws Exception {
    try {
      applications.last();
      oracle.producer("last-0", Applications.LAST, Applications.LAST);
      Committed.of(topic).requireSound(oracle);
    } catch (AssertionError e) {
      throw new AssertionError("-Dforebay.kill.seed=" + seed, e);
    }
  }

  private void live(int life, Applications applications, Broker broker) throws Exception {
    String point = POINTS.get(random.nextInt(POINTS.size()));
    boolean chosen = life % 4 > 1;
    List<String> options =
        chosen ? KillPoint.options(CLIENT, point, 1 + random.nextInt(6)) : List.of();
    try (Child child = applications.start("life" + life, options)) {
      if (random.nextInt(4) > 0) {
        child.awaitOffered(0, 1);
      } else {
        child.awaitUp();
      }
      boolean brokerToo = life % 2 == 1;
      if (brokerToo) {
        passRandomTime();
        broker.kill();
        passRandomTime();
        broker.launch();
      }
      if (chosen) {
        // The point may not come again: it never does without a broker.
        boolean unused = Await.within(Duration.ofSeconds(5), () -> !child.isAlive());
      } else {
        passRandomTime();
        assertThat(child.isAlive()).as(child.output()).isTrue();
      }
      child.kill();
      child.tell(oracle);
      if (brokerToo) {
        broker.awaitUp();
      }
    }
  }

  private void passRandomTime() {
    Await.pass(Duration.ofMillis(20L + random.nextInt(LONGEST_LIFE_MS)));
  }
}
