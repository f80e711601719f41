package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.SpoolNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.slf4j.LoggerFactory;

/** A topic as the durable log: whoever dies, a committed reader gets every event once. */
@Tag("kafka")
class KafkaIT extends SharedBroker {

  /** A shipper that waits for a broker, or a topic, looks again after a second. */
  private static final String SOON = config("max.block.ms=1000");

  private static final Logger CLIENT = (Logger) LoggerFactory.getLogger("org.apache.kafka");

  private static final String ACCEPTING =
      """
      <filter class="ch.qos.logback.classic.filter.LevelFilter">
        <level>DEBUG</level><onMatch>ACCEPT</onMatch><onMismatch>ACCEPT</onMismatch>
      </filter>
      """;

  private Topic topic;
  private Applications applications;

  @BeforeEach
  void name(TestInfo test) {
    topic = new Topic(broker.address(), test.getTestMethod().orElseThrow().getName());
    applications = applications("");
  }

  private Applications applications(String inner) {
    return new Applications(places, broker.address(), topic.name(), inner);
  }

  @Test
  void whatThreadsLogIsInTheTopicOnceAndSaysWhatItIs() throws Exception {
    topic.create(3, Map.of());
    applications =
        new Applications(
            places,
            broker.address(),
            topic.name(),
            "<partitionBy>thread</partitionBy><loggerHeader>true</loggerHeader>"
                + config("compression.type=zstd"));
    long before = System.currentTimeMillis();
    try (Tiered tiered = applications.here();
        Load load = Load.on(tiered)) {
      Oracle oracle = load.awaitMore(300).endWithoutLoss();
      assertThat(tiered.snapshot().durableUpTo()).hasValue(load.offered() + 10);
      Committed read = Committed.of(topic);
      read.requireSound(oracle);
      assertThat(read.entries())
          .allSatisfy(
              entry -> {
                boolean isOfMain = entry.line().startsWith("fresh");
                assertThat(entry.line()).startsWith(isOfMain ? "fresh" : entry.key());
                assertThat(entry.timestamp()).isBetween(before, System.currentTimeMillis());
                assertThat(entry.headers()).containsEntry("level", "INFO");
                assertThat(entry.headers()).containsEntry("logger", "it");
              });
      assertThat(read.entries().stream().map(Committed.Entry::key).collect(Collectors.toSet()))
          .contains("load-0", "load-1");
    }
  }

  @Test
  void aConsumerCountsEachEventOnceWhoeverIsKilled() throws Exception {
    requireOnceWhoeverIsKilled(false);
  }

  @Test
  @Tag("nightly")
  void theClientOfKafkaThreeDoesTheSame() throws Exception {
    requireOnceWhoeverIsKilled(true);
  }

  private void requireOnceWhoeverIsKilled(boolean oldClient) throws Exception {
    topic = new Topic(broker.address(), "killed" + oldClient).create();
    applications = applications("");
    if (oldClient) {
      applications = applications.withOldClient();
    }
    Oracle oracle = new Oracle();
    for (int life = 0; life < 2; life++) {
      try (Child child = applications.start("life" + life, List.of())) {
        child.awaitOffered(0, 200L * (life + 1));
        if (life == 0) {
          broker.kill();
          child.awaitOffered(0, child.progress().offered(0) + 200);
          broker.start();
          long readable = topic.readable();
          Await.until("it goes on shipping", () -> topic.readable() > readable);
        }
        child.kill();
        child.tell(oracle);
      }
    }
    assertThat(applications.last()).isEmpty();
    oracle.producer("last-0", Applications.LAST, Applications.LAST);
    Committed read = Committed.of(topic);
    read.requireSound(oracle);
    assertThat(read.entries().stream().map(Committed.Entry::instance).collect(Collectors.toSet()))
        .hasSize(3);
    assertThat(read.entries().stream().map(Committed.Entry::key).collect(Collectors.toSet()))
        .hasSize(1);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    Figures.record(
        "kafka.txt",
        "The broker killed once, the application twice: each of %d events once in the topic%s",
        read.count(),
        oldClient ? " (client 3)" : "");
  }

  @Test
  @Tag("nightly")
  void aSiblingTakesOverWhatAKilledOneLeft() throws Exception {
    topic.create();
    Oracle oracle = new Oracle();
    try (Child sibling = applications.start("sibling", List.of());
        Child killed = applications.start("killed", List.of())) {
      sibling.awaitOffered(0, 100);
      killed.awaitOffered(0, 100);
      killed.kill();
      Await.until(
          "only the sibling's spool is left", () -> SpoolPeek.spools(places.spool()).size() == 1);
      sibling.release();
      assertThat(sibling.awaitEnd()).as(sibling.output()).isZero();
      killed.tell(oracle);
      sibling.tell(oracle);
    }
    Committed.of(topic).requireSound(oracle);
  }

  @Test
  void aRecordThatTheBrokerRefusesIsSetAsideAndCounted() throws Exception {
    topic.create(1, Map.of("max.message.bytes", "20000"));
    applications = applications(config("batch.size=16384"));
    try (Tiered tiered = applications.here()) {
      tiered.log("before", 0, 20);
      tiered.logger().info("x".repeat(50_000));
      tiered.log("after", 0, 20).flush();
      assertThat(tiered.snapshot().dropped(DropReason.valueOf("REFUSED"))).isEqualTo(1);
      assertThat(tiered.warnings())
          .filteredOn(warning -> warning.contains("refuses an event of 50001 bytes"))
          .as(tiered.warnings().toString())
          .hasSize(1);
      Path spool = SpoolPeek.spools(places.spool()).get(0);
      InstanceId instance = SpoolNames.instance(spool);
      assertThat(CheckpointView.of(new NioDisk(), spool.getParent()).position(instance))
          .isEqualTo(new SpoolPosition(instance, 41, 1, 1));
      OffsetAndMetadata kept = topic.ask(admin -> kept(admin, instance));
      assertThat(kept).isEqualTo(new OffsetAndMetadata(41, Optional.empty(), "lost=1 refused=1"));
    }
    Oracle oracle = new Oracle().producer("before", 20, 20).producer("after", 20, 20);
    Committed.of(topic).requireSound(oracle, 1);
  }

  private OffsetAndMetadata kept(Admin admin, InstanceId spool) throws Exception {
    return admin
        .listConsumerGroupOffsets("forebay-" + topic.name() + "-" + spool)
        .partitionsToOffsetAndMetadata()
        .get()
        .get(new TopicPartition(topic.name(), 0));
  }

  @Test
  @Tag("nightly")
  void aTopicThatTakesOnlySmallBatchesGetsThemSoon() throws Exception {
    topic.create(1, Map.of("max.message.bytes", "20000"));
    applications = applications(config("request.timeout.ms=1000", "delivery.timeout.ms=2000"));
    try (Tiered tiered = applications.here()) {
      tiered.log("first", 0, 5_000).flush();
      assertThat(tiered.snapshot().dropped()).isZero();
      assertThat(tiered.warnings()).hasSize(1);
      tiered.log("next", 0, 5_000).flush();
      assertThat(tiered.warnings()).as("once").hasSize(1);
    }
    Oracle oracle = new Oracle().producer("first", 5_000, 5_000).producer("next", 5_000, 5_000);
    Committed.of(topic).requireSound(oracle.complete(0));
  }

  @Test
  void anUnknownTopicIsWaitedForAndToldOnce() throws Exception {
    applications = applications(SOON);
    try (Tiered tiered = applications.here()) {
      tiered.log("early", 0, 20);
      tiered.awaitWarning(topic.name());
      tiered.log("late", 0, 20);
      topic.create();
      tiered.flush();
      assertThat(tiered.warnings()).hasSize(1);
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    Oracle oracle = new Oracle().producer("early", 20, 20).producer("late", 20, 20).complete(0);
    Committed.of(topic).requireSound(oracle);
  }

  @Test
  @Tag("nightly")
  void anApplicationStartsAndStopsWithoutABrokerAndItsEventsArriveLater() throws Exception {
    topic.create();
    applications = applications(SOON); // the first thread ends before the second starts
    broker.kill();
    try (Tiered tiered = applications.here()) {
      tiered.log("lonely", 0, 100);
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    broker.start();
    try (Tiered tiered = applications.here()) {
      tiered.log("next", 0, 10).flush();
    }
    Oracle oracle = new Oracle().producer("lonely", 100, 100).producer("next", 10, 10).complete(0);
    Committed.of(topic).requireSound(oracle);
    Set<String> lines = Set.copyOf(Committed.of(topic).lines());
    assertThat(lines).contains(new Numbered("lonely", 99).text());
  }

  @Test
  void whoTakesASpoolOverFencesTheDeadAndAsksTheBrokersHowFarTheyAre() throws Exception {
    topic.create();
    Oracle oracle = new Oracle();
    try (Child dead = applications.start("dead", List.of())) {
      Await.until("something is committed", () -> topic.readable() > 100);
      dead.kill();
      dead.tell(oracle);
    }
    Path spool = SpoolPeek.spools(places.spool()).get(0);
    Files.delete(spool.resolveSibling("checkpoint"));
    String id = "forebay-" + topic.name() + "-" + SpoolNames.instance(spool);
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.address(), "transactional.id", id);
    try (KafkaProducer<String, String> zombie =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      zombie.initTransactions();
      zombie.beginTransaction();
      zombie.send(new ProducerRecord<>(topic.name(), "of a zombie")).get();
      assertThat(applications.last()).isEmpty();
      oracle.producer("last-0", Applications.LAST, Applications.LAST);
      assertThatThrownBy(zombie::commitTransaction).isInstanceOf(KafkaException.class);
    }
    Committed.of(topic).requireSound(oracle);
  }

  @AfterEach
  void restoreTheClientsLog() {
    CLIENT.detachAndStopAllAppenders();
    CLIENT.setLevel(Level.ERROR);
    CLIENT.setAdditive(true);
  }

  @Test
  void whatTheClientLogsReachesTheFileBesideAndIsNotCountedAsDropped() throws Exception {
    topic.create();
    CLIENT.setAdditive(false);
    Path file = places.directory("logs").resolve("app.log");
    try (Tiered beside = Tiered.with(Xml.places(file, places.spool()), Xml.FAST, Xml.MESSAGES)) {
      CLIENT.setLevel(Level.INFO);
      CLIENT.addAppender(beside.appender());
      try (Tiered tiered = applications.here()) {
        tiered.appender().stop();
        CLIENT.addAppender(tiered.appender());
        tiered.appender().start(); // it gets all that this start's client logs
        tiered.log("p", 0, 1).flush();
        beside.flush();
        assertThat(tiered.snapshot().dropped()).as(tiered.snapshot().toString()).isZero();
        assertThat(beside.snapshot().dropped()).as(beside.snapshot().toString()).isZero();
        assertThat(Files.readString(file)).contains("ProducerConfig values", "ProducerId set to");
      }
    }
    assertThat(Committed.of(topic).count()).isOne();
  }

  @Test
  @Tag("nightly")
  void whatTheClientLogsAtDebugFeedsNoTopicThroughAFilterThatAccepts() throws Exception {
    topic.create();
    CLIENT.setAdditive(false);
    Topic other = new Topic(broker.address(), "other").create();
    try (Tiered tiered = applications.here(ACCEPTING);
        Tiered second =
            new Applications(places, broker.address(), other.name(), "").here(ACCEPTING)) {
      CLIENT.setLevel(Level.DEBUG);
      for (Tiered each : List.of(tiered, second)) {
        CLIENT.addAppender(each.appender());
      }
      for (int i = 0; i < 5; i++) {
        tiered.log("p", i, 1).flush();
        second.log("q", i, 1).flush();
      }
      assertThat(tiered.snapshot().offered()).isEqualTo(5);
      assertThat(second.snapshot().offered()).isEqualTo(5);
      assertThat(tiered.snapshot().dropped() + second.snapshot().dropped()).isZero();
    }
    assertThat(Committed.of(topic).count()).isEqualTo(5);
    assertThat(Committed.of(other).count()).isEqualTo(5);
  }
}
