package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Joran;
import dev.forebay.testkit.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Configurations of others in which only the class is exchanged, and the examples. */
class SwappedConfigurationTest {

  private static final String OURS = NonBlockingAppender.class.getName();
  private static final String ASYNC = "ch.qos.logback.classic.AsyncAppender";
  private static final String DISRUPTOR =
      "net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender";

  private static final String FOR_ASYNC =
      """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.FileAppender">
          <file>${LOG_DIR}/a.log</file>
          <encoder><pattern>%msg%n</pattern></encoder>
        </appender>
        <appender name="ASYNC" class="ch.qos.logback.classic.AsyncAppender">
          <queueSize>512</queueSize>
          <discardingThreshold>0</discardingThreshold>
          <neverBlock>true</neverBlock>
          <includeCallerData>true</includeCallerData>
          <maxFlushTime>3000</maxFlushTime>
          <filter class="ch.qos.logback.classic.filter.ThresholdFilter"><level>INFO</level></filter>
          <appender-ref ref="FILE"/>
        </appender>
        <root level="DEBUG"><appender-ref ref="ASYNC"/></root>
      </configuration>
      """;

  private static final String FOR_DISRUPTOR =
      """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.FileAppender">
          <file>${LOG_DIR}/a.log</file>
          <immediateFlush>false</immediateFlush>
          <encoder><pattern>%msg%n</pattern></encoder>
        </appender>
        <appender name="ASYNC"
            class="net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender">
          <ringBufferSize>1024</ringBufferSize>
          <waitStrategyType>sleeping{retries=50,sleepTimeNs=1000}</waitStrategyType>
          <producerType>MULTI</producerType>
          <appendTimeout>5 seconds</appendTimeout>
          <appendRetryFrequency>10 milliseconds</appendRetryFrequency>
          <shutdownGracePeriod>4 seconds</shutdownGracePeriod>
          <droppedWarnFrequency>100</droppedWarnFrequency>
          <includeCallerData>false</includeCallerData>
          <daemon>true</daemon>
          <addDefaultStatusListener>false</addDefaultStatusListener>
          <threadNameFormat>swapped-%1$s-%2$d</threadNameFormat>
          <appender-ref ref="FILE"/>
        </appender>
        <root level="INFO"><appender-ref ref="ASYNC"/></root>
      </configuration>
      """;

  private static final String[] WITHOUT_MEANING = {
    "waitStrategyType",
    "producerType",
    "appendRetryFrequency",
    "droppedWarnFrequency",
    "daemon",
    "addDefaultStatusListener"
  };

  @TempDir private Path logs;

  @Test
  void anAsyncAppenderIsReplacedByTheClassNameAlone() throws Exception {
    NonBlockingAppender ring;
    try (Joran joran = Joran.of(FOR_ASYNC.replace(ASYNC, OURS), logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).isEmpty();
      ring = joran.ring("ASYNC");
      logAndCount(joran, 500);
    }
    assertThat(Files.readAllLines(logs.resolve("a.log"))).hasSize(500);
    Conservation.assertSettled(ring, 500);
    assertThat(ring.snapshot().delivered()).isEqualTo(500);
  }

  @Test
  void anAsyncAppenderThatBlockedGetsOneWarningThatSaysSo() {
    String blocking =
        FOR_ASYNC
            .replace(ASYNC, OURS)
            .replace("<neverBlock>true</neverBlock>", "<neverBlock>false</neverBlock>");
    try (Joran joran = Joran.of(blocking, logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings())
          .singleElement()
          .asString()
          .contains("[ASYNC]", "<neverBlock>", "<appendTimeout>");
      assertThat(joran.ring("ASYNC").isStarted()).isTrue();
    }
  }

  @Test
  void aDisruptorAppenderIsReplacedByTheClassNameAloneWithAWarningForEachPropertyWithoutMeaning()
      throws Exception {
    NonBlockingAppender ring;
    try (Joran joran = Joran.of(FOR_DISRUPTOR.replace(DISRUPTOR, OURS), logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).hasSize(WITHOUT_MEANING.length);
      for (String element : WITHOUT_MEANING) {
        assertThat(joran.warnings())
            .filteredOn(text -> text.contains("[" + element + "]"))
            .as(element)
            .singleElement()
            .asString()
            .contains("Ignoring unknown property", NonBlockingAppender.class.getName());
      }
      ring = joran.ring("ASYNC");
      logAndCount(joran, 3000);
      assertThat(Threads.named("swapped-ASYNC-")).isNotEmpty();
    }
    assertThat(Files.readAllLines(logs.resolve("a.log"))).hasSize(3000);
    Conservation.assertSettled(ring, 3000);
  }

  @Test
  void theExampleForTheAsyncAppenderWorks() throws Exception {
    try (Joran joran = Joran.of(Joran.example("nonblocking-replacing-async-appender.xml"), logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).isEmpty();
      logAndCount(joran, 100);
    }
    assertThat(Files.readAllLines(logs.resolve("application.log"))).hasSize(100);
  }

  @Test
  void theExampleForTheDisruptorAppenderWorks() throws Exception {
    try (Joran joran =
        Joran.of(Joran.example("nonblocking-replacing-disruptor-appender.xml"), logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).isEmpty();
      logAndCount(joran, 100);
      assertThat(joran.ring("ASYNC").flush(Duration.ofSeconds(20))).isTrue();
      assertThat(Files.readAllLines(logs.resolve("application.json")))
          .as("flushed at the end of the batch")
          .hasSize(100);
    }
    assertThat(Files.readAllLines(logs.resolve("application.json")))
        .hasSize(100)
        .allMatch(line -> line.startsWith("{\"@timestamp\"") && line.endsWith("}"));
  }

  private static void logAndCount(Joran joran, int events) {
    Logger logger = joran.context().getLogger("application");
    NonBlockingAppender ring = joran.ring("ASYNC");
    long before = ring.snapshot().offered();
    for (int i = 0; i < events; i++) {
      logger.info("event {}", i);
    }
    assertThat(ring.snapshot().offered() - before).isEqualTo(events);
  }
}
