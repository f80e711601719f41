package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static java.time.temporal.ChronoUnit.MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.access.common.PatternLayoutEncoder;
import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ContextBase;
import dev.forebay.access.AccessTieredAppender;
import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.WallClock;
import dev.forebay.it.tool.Tool;
import dev.forebay.kafka.KafkaDestination;
import dev.forebay.observe.DropReason;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A topic beside what else an appender can do, and clocks that are hours away from its broker's.
 */
@Tag("nightly")
class KafkaCombinationsIT extends SharedBroker {

  /** Lines that wait for the topic. */
  private static final int WAITING = 50;

  private Topic topic;

  @BeforeEach
  void makeTopic(TestInfo test) throws Exception {
    String method = test.getTestMethod().orElseThrow().getName();
    String name = method.substring(0, 20) + Integer.toHexString(test.getDisplayName().hashCode());
    topic = new Topic(broker.address(), name).create();
  }

  private Applications applications(String inner) {
    return new Applications(places, broker.address(), topic.name(), inner);
  }

  @Test
  void keysAreThoseOfTheContextOrOfTheAppenderHoweverLong() throws Exception {
    List<String> keys = List.of("user-1", "", "k".repeat(16 * 1024 - 1) + "é", "\ud83d", "x");
    try (Tiered tiered = applications("<partitionBy>mdc:user</partitionBy>").here()) {
      for (int i = 0; i < 5; i++) {
        tiered.appender().doAppend(event(tiered.context(), i, Map.of("user", keys.get(i))));
      }
      tiered.appender().doAppend(event(tiered.context(), 5, Map.of()));
      tiered.flush();
      assertThat(tiered.problems()).isEmpty();
    }
    Committed read = Committed.of(topic);
    read.requireSound(new Oracle().producer("p", 6, 6).complete(0));
    List<String> found = read.entries().stream().map(Committed.Entry::key).toList();
    assertThat(found.get(0)).isEqualTo("user-1");
    assertThat(found.get(1)).isEmpty();
    assertThat(found.get(2)).startsWith("kkk").hasSize(16 * 1024); // cut within its last letter
    assertThat(found.get(5)).matches(".+-[0-9a-f]{8}");
  }

  private static LoggingEvent event(LoggerContext context, int number, Map<String, String> mdc) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerContext(context);
    event.setLoggerName("it");
    event.setLevel(Level.INFO);
    event.setThreadName("main");
    event.setMessage(new Numbered("p", number).text());
    event.setMDCPropertyMap(mdc);
    return event;
  }

  @Test
  void aRecorderKeepsWhatItRecordsFromTheTopicAndAttributesFromItsDumps() throws Exception {
    Path dump;
    try (Tiered tiered =
        applications("")
            .here(
                "<flightRecorder><level>INFO</level><dumpOn>ERROR</dumpOn><after>0</after>"
                    + "<size>256KB</size></flightRecorder><segmentSize>64KB</segmentSize>")) {
      tiered.logger().debug("recorded alone");
      tiered.log("p", 0, 20).logger().error("trigger");
      Await.until(
          "the topic names the dump",
          () -> Committed.of(topic).lines().stream().anyMatch(line -> line.contains(".dump")));
      dump = onlyDump();
    }
    List<String> dumped = Files.readAllLines(dump);
    Files.delete(dump);
    assertThat(dumped.subList(1, dumped.size()))
        .startsWith("recorded alone")
        .contains(new Numbered("p", 19).text(), "trigger");
    List<String> lines = new ArrayList<>(Committed.of(topic).lines());
    assertThat(lines).contains("trigger").doesNotContain("recorded alone");
    lines.remove("trigger");
    assertThat(lines.removeIf(line -> line.contains(dump.getFileName().toString()))).isTrue();
    new Oracle().producer("p", 20, 20).complete(0).requireSound(lines);
  }

  /** A topic has no directory: a dump goes to that of the process. */
  private Path onlyDump() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(""))) {
      return files
          .filter(file -> file.toString().startsWith("topic " + topic.name() + ".flight."))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void spoolsThatMovedToTheOverflowKeepKeysTimesAndOrder() throws Exception {
    Path overflow = places.directory("overflow");
    String[] more = {
      "<spoolSize>1MB</spoolSize><segmentSize>64KB</segmentSize>",
      "<overflowDirectory>" + overflow + "</overflowDirectory>",
      "<appendTimeout>30 seconds</appendTimeout><maxFlushTime>1 second</maxFlushTime>"
    };
    Applications applications =
        applications("<partitionBy>thread</partitionBy>" + config("max.block.ms=1000"));
    broker.kill();
    int events = 60_000;
    try (Tiered tiered = applications.here(more)) {
      tiered.log("p", 0, events);
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    broker.start();
    try (Tiered tiered = applications.here(more)) {
      tiered.log("q", 0, 10).flush();
    }
    Committed read = Committed.of(topic);
    read.requireSound(new Oracle().producer("p", events, events).producer("q", 10, 10).complete(0));
    assertThat(read.entries().stream().map(Committed.Entry::key).collect(Collectors.toSet()))
        .containsExactly(Thread.currentThread().getName());
    assertThat(read.entries()).allMatch(entry -> entry.headers().get("level").equals("INFO"));
  }

  @Test
  void anotherTopicAfterAResetGetsWhatComesAfterIt() throws Exception {
    Topic other = new Topic(broker.address(), "another").create();
    Applications first = applications("");
    Applications second = new Applications(places, broker.address(), other.name(), "");
    try (Tiered tiered = first.here()) {
      tiered.log("a", 0, 500);
      tiered.reconfigure(second.elements());
      tiered.log("b", 0, 500).flush();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().contains("forebay-client-"));
    try (Tiered tiered = first.here()) {
      tiered.log("c", 0, 10).flush();
    }
    Committed.of(topic)
        .requireSound(new Oracle().producer("a", 500, 500).producer("c", 10, 10).complete(0));
    Committed.of(other).requireSound(new Oracle().producer("b", 500, 500).complete(0));
  }

  private static IAccessEvent request(String url, long timeMs) {
    Map<String, Object> known =
        Map.of("getRequestURL", url, "getTimeStamp", timeMs, "getThreadName", "worker-1");
    return (IAccessEvent)
        Proxy.newProxyInstance(
            IAccessEvent.class.getClassLoader(),
            new Class<?>[] {IAccessEvent.class},
            (proxy, method, arguments) -> known.get(method.getName()));
  }

  @Test
  void aRequestIsThereWithItsTimeAndTheThreadThatServedIt() throws Exception {
    KafkaDestination destination = new KafkaDestination();
    destination.setTopic(topic.name());
    destination.setBootstrapServers(topic.servers());
    destination.setPartitionBy("thread");
    ContextBase context = new ContextBase();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%requestURL");
    encoder.start();
    AccessTieredAppender appender = new AccessTieredAppender();
    appender.setName("ACCESS");
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.setSpoolDirectory(places.spool().toString());
    appender.setDestination(destination);
    appender.start();
    long timeMs = System.currentTimeMillis() - 5_000;
    appender.doAppend(request("GET /a HTTP/1.1", timeMs));
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    appender.stop();

    assertThat(Committed.of(topic).entries())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.line()).isEqualTo("GET /a HTTP/1.1");
              assertThat(entry.timestamp()).isEqualTo(timeMs);
              assertThat(entry.key()).isEqualTo("worker-1");
            });
  }

  /** {@code forebay cat} of a spool whose records are for a topic. */
  @Test
  void theToolPrintsLinesThatWaitWithoutTheirAttributesAndThoseThatWereRefused() throws Exception {
    topic = new Topic(broker.address(), "small");
    topic.create(1, Map.of("max.message.bytes", "20000"));
    String refused = "x".repeat(50_000);
    try (Tiered tiered = applications(config("batch.size=16384")).here()) {
      tiered.logger().info(refused);
      tiered.log("before", 0, 1).flush();
      Path spools = SpoolPeek.spools(places.spool()).get(0).getParent();
      assertThat(Tool.run("cat", "--refused", spools).out()).isEqualTo(refused + "\n");

      broker.kill();
      tiered.log("p", 0, WAITING);
      String[] lines =
          IntStream.range(0, WAITING)
              .mapToObj(i -> new Numbered("p", i).text())
              .toArray(String[]::new);
      Await.until(
          "all spooled", () -> Tool.run("cat", "--unshipped", spools).lines().size() == WAITING);
      assertThat(Tool.run("cat", "--unshipped", spools).lines()).containsExactly(lines);

      broker.start();
      tiered.flush();
      assertThat(tiered.snapshot().dropped()).isEqualTo(1);
      assertThat(tiered.snapshot().dropped(DropReason.REFUSED)).isEqualTo(1);
    }
    Oracle oracle = new Oracle().producer("before", 1, 1).producer("p", WAITING, WAITING);
    Committed.of(topic).requireSound(oracle, 1);
  }

  @Test
  void aClockThatJumpsDelaysAndCostsNothing() throws Exception {
    WallClock clock = WallClock.create(places);
    Oracle oracle = new Oracle();
    Applications applications = applications("");
    try (Child child = applications.start("clock", List.of(), clock.around())) {
      child.awaitOffered(0, 100);
      for (String offset : List.of("-2h", "+1d", "+0")) {
        clock.set(offset);
        long before = topic.readable();
        Await.process( // the client has timeouts of its own, by the wall clock
            "it goes on at " + offset, () -> topic.readable() > before + 100);
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
    topic = new Topic(broker.address(), "clocks" + transactions);
    topic.create(1, Map.of("message.timestamp.before.max.ms", "86400000"));
    Instant start = Instant.now();
    List<Duration> ahead =
        List.of(Duration.ofDays(1), Duration.ofDays(-2), Duration.ofMinutes(-5), Duration.ZERO);
    try (Tiered tiered = applications("<transactions>" + transactions + "</transactions>").here()) {
      for (int i = 0; i < 400; i++) {
        LoggingEvent event = event(tiered.context(), i, Map.of());
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
