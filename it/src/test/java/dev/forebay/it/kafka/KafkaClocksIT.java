package dev.forebay.it.kafka;

import static java.time.temporal.ChronoUnit.MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks of applications that are, or were, hours away from those of the brokers. */
@Tag("nightly")
class KafkaClocksIT {

  @AutoClose private final Places places = Places.create();
  @AutoClose private Broker broker;
  private Topic topic;

  @BeforeEach
  void start() throws Exception {
    broker = Broker.in(places.directory("broker")).start();
    topic = new Topic(broker.address(), "clocks");
  }

  private Applications applications(String inner) {
    return new Applications(places, broker.address(), topic.name(), inner);
  }

  @Test
  void aClockThatJumpsDelaysAndCostsNothing() throws Exception {
    WallClock clock = WallClock.create(places);
    topic.create();
    Oracle oracle = new Oracle();
    Applications applications = applications("");
    try (Child child = applications.start("clock", List.of(), clock.around())) {
      child.awaitOffered(0, 100);
      for (String offset : List.of("-2h", "+1d", "+0")) {
        clock.set(offset);
        long before = topic.readable();
        boolean goesOn =
            Await.within( // the client has timeouts of its own, by the wall clock
                Duration.ofMinutes(1), () -> topic.readable() > before + 100);
        assertThat(goesOn).as(offset + child.status()).isTrue();
      }
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.account()).contains("dropped 0 {}");
      child.tell(oracle);
    }
    String unused = applications.last(); // may tell of times, where the stop came too early
    oracle.producer("last-0", Applications.LAST, Applications.LAST);
    Committed read = Committed.of(topic);
    read.requireSound(oracle);
    long hourAheadMs = Instant.now().plus(Duration.ofHours(1)).toEpochMilli();
    assertThat(read.entries()).allMatch(entry -> entry.timestamp() < hourAheadMs);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eventsWhoseTimeTheTopicDoesNotTakeGetTheBrokersTime(boolean transactions) throws Exception {
    topic.create(1, Map.of("message.timestamp.before.max.ms", "86400000"));
    Instant start = Instant.now();
    List<Duration> ahead =
        List.of(Duration.ofDays(1), Duration.ofDays(-2), Duration.ofMinutes(-5), Duration.ZERO);
    try (Tiered tiered = applications("<transactions>" + transactions + "</transactions>").here()) {
      for (int i = 0; i < 400; i++) {
        LoggingEvent event = new LoggingEvent();
        event.setLoggerContext(tiered.context());
        event.setLoggerName("it");
        event.setLevel(Level.INFO);
        event.setThreadName("main");
        event.setMessage(new Numbered("p", i).text());
        event.setInstant(start.plus(ahead.get(i % 4)));
        tiered.appender().doAppend(event);
      }
      tiered.flush();
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    Committed read = Committed.of(topic);
    read.requireSound(new Oracle().producer("p", 400, 400).complete(0));
    assertThat(read.entries())
        .allSatisfy(
            entry -> {
              Instant time = Instant.ofEpochMilli(entry.timestamp());
              int kind = (int) entry.sequence() % 4;
              if (kind >= 2) {
                assertThat(time).isEqualTo(start.plus(ahead.get(kind)).truncatedTo(MILLIS));
              } else {
                assertThat(time).isBetween(start.minusSeconds(60), Instant.now());
              }
            });
  }
}
