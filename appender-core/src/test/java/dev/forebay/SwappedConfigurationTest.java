package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Joran;
import dev.forebay.testkit.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;

/** Configurations of others in which only the class was exchanged, and the examples. */
class SwappedConfigurationTest {

  private static final String FOR_DISRUPTOR =
      """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.FileAppender">
          <file>${LOG_DIR}/a.log</file>
          <immediateFlush>false</immediateFlush>
          <encoder><pattern>%msg%n</pattern></encoder>
        </appender>
        <appender name="ASYNC" class="dev.forebay.NonBlockingAppender">
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

  private static final List<String> WITHOUT_MEANING =
      List.of(
          "waitStrategyType",
          "producerType",
          "appendRetryFrequency",
          "droppedWarnFrequency",
          "daemon",
          "addDefaultStatusListener");

  @TempDir private Path logs;

  @Test
  void aDisruptorAppenderIsReplacedByTheClassNameAloneWithAWarningForEachPropertyWithoutMeaning()
      throws Exception {
    NonBlockingAppender ring;
    try (Joran joran = Joran.of(FOR_DISRUPTOR, logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).hasSize(WITHOUT_MEANING.size());
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

  @ParameterizedTest
  @CsvSource({
    "async, application.log, '[0-9-]+ .*'",
    "disruptor, application.json, '\\{\"@time.*}'"
  })
  void theExampleWorksAndAllIsWrittenAtTheEndOfTheBatch(String peer, String log, String line)
      throws Exception {
    String xml = Joran.example("nonblocking-replacing-" + peer + "-appender.xml");
    try (Joran joran = Joran.of(xml, logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings()).isEmpty();
      logAndCount(joran, 100);
      assertThat(joran.ring("ASYNC").flush(Duration.ofSeconds(20))).isTrue();
      assertThat(Files.readAllLines(logs.resolve(log)))
          .hasSize(100)
          .allMatch(written -> written.matches(line));
    }
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
