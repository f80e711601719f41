package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What brokers do to those who log into their topics. */
@Tag("nightly")
class KafkaFaultsIT {

  /** Something happens, and ends. */
  private interface Fault {
    void happen(Load load) throws Exception;
  }

  @AutoClose private final Places places = Places.create();
  @AutoClose private Broker broker;
  private Topic topic;

  private Broker broker() throws Exception {
    broker = Broker.in(places.directory("broker"));
    topic = new Topic(broker.address(), "faults");
    return broker;
  }

  private Applications applications(String servers, String... inner) {
    return new Applications(places, servers, topic.name(), String.join("", inner));
  }

  /** Two threads log before, during and after it; nothing is lost, and each is there once. */
  private Committed through(Applications applications, Fault fault) throws Exception {
    Oracle oracle;
    try (Tiered tiered = applications.here();
        Load load = Load.on(tiered)) {
      load.awaitMore(100);
      tiered.flush();
      fault.happen(load);
      load.awaitMore(100).stop();
      tiered.log("fresh", 0, 10).flush();
      assertThat(tiered.snapshot().dropped()).isZero();
      oracle = load.oracle().producer("fresh", 10, 10).complete(0);
    }
    Committed read = Committed.of(topic);
    read.requireSound(oracle);
    return read;
  }

  @Test
  void aBrokerThatStandsStillForHalfAMinuteStopsNobody() throws Exception {
    broker().start();
    topic.create();
    through(
        applications(broker.address()),
        load -> {
          broker.pause();
          load.requireGoingOn(Duration.ofSeconds(30), 1_000);
          broker.goOn();
        });
  }

  @Test
  void aProducerFencedByATwinGoesOn() throws Exception {
    broker().start();
    topic.create();
    through(
        applications(broker.address()),
        load -> {
          String instance = Committed.of(topic).entries().get(0).instance();
          for (int i = 0; i < 3; i++) {
            try (var twin =
                new KafkaProducer<>(
                    Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "transactional.id",
                        "forebay-" + topic.name() + "-" + instance),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
              twin.initTransactions();
            }
            load.awaitMore(200);
          }
        });
  }

  @Test
  void aTransactionalIdThatExpiredIsTakenAnew() throws Exception {
    broker()
        .with("transactional.id.expiration.ms", 1_000)
        .with("transaction.remove.expired.transaction.cleanup.interval.ms", 200)
        .with("producer.id.expiration.ms", 1_000)
        .with("producer.id.expiration.check.interval.ms", 200)
        .start();
    topic.create();
    Oracle oracle = new Oracle();
    try (Tiered tiered = applications(broker.address()).here()) {
      for (int idle = 0; idle < 3; idle++) {
        tiered.log("p" + idle, 0, 50).flush();
        oracle.producer("p" + idle, 50, 50);
        String before = tiered.snapshot().toString();
        Await.until(
            "expired: " + before,
            () -> topic.ask(admin -> admin.listTransactions().all().get()).isEmpty());
      }
      assertThat(tiered.snapshot().dropped()).isZero();
      assertThat(tiered.problems()).isEmpty();
    }
    Committed.of(topic).requireSound(oracle);
  }

  @Test
  void aTopicDeletedAndMadeAgainGetsWhatComesAfter() throws Exception {
    broker().start();
    topic.create();
    Oracle oracle = new Oracle();
    try (Tiered tiered = applications(broker.address()).here()) {
      tiered.log("before", 0, 50).flush();
      topic.delete();
      tiered.log("between", 0, 50);
      tiered.awaitWarning(topic.name());
      topic.create();
      tiered.log("after", 0, 50).flush();
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    oracle.producer("between", 50, 50).producer("after", 50, 50).complete(0);
    Committed read = Committed.of(topic);
    oracle.requireSound(read.lines());
    assertThat(read.entries().stream().map(Committed.Entry::sequence))
        .containsExactlyElementsOf(LongStream.range(50, 150).boxed().toList());
  }

  @Test
  void aBrokerOnAFullDiskDelaysAndCostsNothing() throws Exception {
    try (Mounted disk = Mounted.disk(places, "96m")) {
      broker().dataIn(disk.at().resolve("data")).with("log.segment.bytes", 1 << 20).start();
      topic.create();
      through(
          applications(broker.address()),
          load -> {
            Command.exitCode("fallocate", "-l", "200m", disk.at().resolve("filler").toString());
            Command.exitCode("dd", "if=/dev/zero", "of=" + disk.at().resolve("filler2"), "bs=4k");
            Await.until("the broker gives up", () -> !broker.isAlive());
            load.requireGoingOn();
            Files.deleteIfExists(disk.at().resolve("filler"));
            Files.deleteIfExists(disk.at().resolve("filler2"));
            broker.start();
          });
      broker.close();
      Await.until("ended", () -> !broker.isAlive());
    }
  }

  @Test
  void aQuotaSlowsDownAndStopsNothing() throws Exception {
    broker().with("quota.window.size.seconds", 1).with("quota.window.num", 2).start();
    topic.create();
    through(
        applications(broker.address()),
        load -> {
          quota(20_000.0);
          load.requireGoingOn(Duration.ofSeconds(5), 1_000);
          long before = topic.readable();
          Await.until("it makes progress", () -> topic.readable() > before);
          quota(null);
        });
  }

  private void quota(Double bytesPerSecond) throws Exception {
    var everybody = new ClientQuotaEntity(Collections.singletonMap("client-id", null));
    var rate = new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond);
    topic.ask(
        admin ->
            admin
                .alterClientQuotas(List.of(new ClientQuotaAlteration(everybody, List.of(rate))))
                .all()
                .get());
  }

  @Test
  void aBrokerKilledBehindAnEncryptedConnectionStopsNobody() throws Exception {
    String address = broker().alsoListen("SSL");
    Secrets secrets = Secrets.in(places.root());
    secrets.give(broker);
    broker.start();
    topic.create();
    through(
        applications(
            address,
            config("security.protocol=SSL"),
            config("ssl.truststore.location=" + secrets.trust()),
            config("ssl.truststore.password=" + Secrets.PASSWORD)),
        load -> {
          broker.kill();
          load.requireGoingOn();
          broker.start();
        });
  }

  @Test
  void threeBrokersRestartOneByOneUnderLoad() throws Exception {
    try (Cluster cluster = Cluster.start(places)) {
      topic = new Topic(cluster.address(), "rolling").create(3, Map.of());
      through(
          applications(cluster.address(), "<partitionBy>thread</partitionBy>"),
          load -> {
            for (Broker each : cluster.brokers()) {
              each.stop();
              load.requireGoingOn();
              each.start();
              load.requireGoingOn();
            }
            for (Broker each : cluster.brokers()) {
              each.kill(); // leader of some, coordinator of the transactions, or of the group
              load.requireGoingOn();
              each.start();
            }
          });
    }
  }

  @Test
  void whoCoordinatesTheTransactionsIsKilledAndAnotherGoesOn() throws Exception {
    try (Cluster cluster = Cluster.start(places)) {
      topic = new Topic(cluster.address(), "coordinator").create();
      through(
          applications(cluster.address()),
          load -> {
            int before = coordinator();
            Broker gone = cluster.brokers().get(before - 1);
            gone.kill();
            Await.until(
                "another one coordinates", () -> !List.of(0, before).contains(coordinator()));
            long reached = topic.readable();
            Await.until("it goes on without it", () -> topic.readable() > reached);
            load.requireGoingOn();
            gone.start();
          });
    }
  }

  /** The broker that leads the only partition for transactions; 0 if none does. */
  private int coordinator() throws Exception {
    String transactions = "__transaction_state";
    TopicDescription now =
        topic.ask(
            admin ->
                admin
                    .describeTopics(List.of(transactions))
                    .allTopicNames()
                    .get()
                    .get(transactions));
    Node leader = now.partitions().get(0).leader();
    return leader == null ? 0 : Math.max(0, leader.id());
  }

  @Test
  void aSpoolThatFillsWhileTheBrokerIsAwayKeepsTheOldestAndCountsTheRest() throws Exception {
    broker().start();
    topic.create();
    broker.kill();
    try (Tiered tiered =
        applications(broker.address())
            .here(
                "<spoolSize>1MB</spoolSize><segmentSize>256KB</segmentSize>",
                "<appendTimeout>3 seconds</appendTimeout>")) { // it is full, not just behind
      long logged = 0;
      while (tiered.snapshot().dropped() < 3) {
        tiered.log("p", logged++, 1);
      }
      broker.start();
      tiered.flush();
      LedgerSnapshot account = tiered.snapshot();
      assertThat(account.dropped()).isEqualTo(account.dropped(DropReason.TIMEOUT));
      assertThat(account.offered()).isEqualTo(account.delivered() + account.dropped());
      Committed read = Committed.of(topic);
      read.requireSound(new Oracle().producer("p", logged, logged).dropped(account.dropped()));
      assertThat((long) read.count()).isEqualTo(account.delivered()); // and a line that tells it
      long kept = logged - account.dropped();
      assertThat(read.lines().stream().filter(line -> line.startsWith("p ")))
          .as("none made room for a younger one")
          .containsExactlyElementsOf(
              LongStream.range(0, kept).mapToObj(i -> new Numbered("p", i).text()).toList());
    }
  }

  @Test
  void aNetworkThatIsCutSlowOrHalfOpenDelaysAndCostsNothing() throws Exception {
    try (Network network = Network.create();
        Broker far = Broker.in(places.directory("far"), network).start()) {
      topic = new Topic(far.address(), "network").create();
      through(
          applications(far.address(), config("request.timeout.ms=5000")),
          load -> {
            network.cut();
            load.requireGoingOn(Duration.ofSeconds(10), 300);
            network.heal();
            load.requireGoingOn();
            network.slow("200kbit");
            load.requireGoingOn(Duration.ofSeconds(10), 300);
            network.heal();
            network.halfOpen();
            load.requireGoingOn(Duration.ofSeconds(10), 300);
            network.heal();
          });
    }
  }
}
