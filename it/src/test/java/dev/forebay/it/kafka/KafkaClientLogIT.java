package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the client logs itself, where the topic's appender gets all that is logged. */
@Tag("kafka")
class KafkaClientLogIT {

  private static final Logger CLIENT = (Logger) LoggerFactory.getLogger("org.apache.kafka");

  private static final String ACCEPTING =
      """
      <filter class="ch.qos.logback.classic.filter.LevelFilter">
        <level>DEBUG</level><onMatch>ACCEPT</onMatch><onMismatch>ACCEPT</onMismatch>
      </filter>
      """;

  @AutoClose private final Places places = Places.create();
  @AutoClose private Broker broker;
  private Topic topic;

  @BeforeEach
  void start() throws Exception {
    broker = Broker.in(places.directory("broker")).start();
    topic = new Topic(broker.address(), "own").create();
    CLIENT.setAdditive(false);
  }

  @AfterEach
  void restore() {
    CLIENT.detachAndStopAllAppenders();
    CLIENT.setLevel(Level.ERROR);
    CLIENT.setAdditive(true);
  }

  private Tiered intoTopic(String... more) throws Exception {
    return new Applications(places, broker.address(), topic.name(), "").here(more);
  }

  @Test
  void itReachesTheFileBesideAndIsNotCountedAsDropped() throws Exception {
    Path file = places.directory("logs").resolve("app.log");
    try (Tiered beside = Tiered.with(Xml.places(file, places.spool()), Xml.FAST, Xml.MESSAGES)) {
      CLIENT.setLevel(Level.INFO);
      CLIENT.addAppender(beside.appender());
      try (Tiered tiered = intoTopic()) {
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
  void atDebugItDoesNotFeedTopicsThroughAFilterThatAccepts() throws Exception {
    Topic other = new Topic(broker.address(), "other").create();
    try (Tiered tiered = intoTopic(ACCEPTING);
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
