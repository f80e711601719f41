package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.testkit.Conservation;
import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BadConfigurationTest {

  private static final String XML =
      """
      <configuration>
        <appender name="LIST" class="ch.qos.logback.core.read.ListAppender"/>
        <appender name="RING" class="dev.forebay.NonBlockingAppender">
          %s
          %s
        </appender>
        <root level="INFO"><appender-ref ref="RING"/></root>
      </configuration>
      """;

  private static final String REF = "<appender-ref ref=\"LIST\"/>";

  @TempDir private Path logs;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "queueSize            | 0           | is 0: must be between 1 and 16777216",
        "queueSize            | -5          | is -5: must be between 1 and 16777216",
        "ringBufferSize       | 16777217    | is 16777217: must be between 1 and 16777216",
        "ringBufferBytes      | 10 KB       | is 10240 bytes: must be between 65536 and"
            + " 68719476736",
        "ringBufferBytes      | 100 GB      | is 107374182400 bytes: must be between 65536 and",
        "discardingThreshold  | 8193        | is 8193: must be between -1 and 8192",
        "discardingThreshold  | -2          | is -2: must be between -1 and 8192",
        "appendTimeout        | -1          | is -1 ms: must be between 0 and 3600000 ms",
        "appendTimeout        | 2 hours     | is 7200000 ms: must be between 0 and 3600000 ms",
        "maxFlushTime         | -1          | is -1 ms: must be between 1 and 3600000 ms",
        "shutdownGracePeriod  | -1          | is -1 ms: must be between 1 and 3600000 ms",
        "shutdownGracePeriod  | 61 minutes  | is 3660000 ms: must be between 1 and 3600000 ms",
        "reportInterval       | 1           | is 1 ms: must be between 10 and 3600000 ms",
        "urgentLevel          | LOUD        | is \"LOUD\": must be TRACE, DEBUG, INFO, WARN, ERROR",
        "threadNameFormat     | ring-%4$s   | is \"ring-%4$s\": must be a format of appender name",
        "threadNameFormat     | ring-%q     | is \"ring-%q\": must be a format of appender name",
        "threadNameFormat     | ring-%1$d   | is \"ring-%1$d\": must be a format of appender name"
      })
  void aValueOutOfRangeIsNamedWithItsLimitAndTheAppenderDoesNotStart(
      String element, String value, String message) {
    String xml = XML.formatted("<" + element + ">" + value + "</" + element + ">", REF);
    try (Joran joran = Joran.of(xml, logs)) {
      assertThat(joran.errors())
          .singleElement()
          .asString()
          .contains("[RING] not started", "<" + element + "> " + message);
      assertThat(joran.ring("RING").isStarted()).isFalse();
      joran.context().getLogger("test").info("goes nowhere, is counted, throws nothing");
      Conservation.assertSettled(joran.ring("RING"), 1);
    }
  }

  @Test
  void everythingThatIsWrongIsNamedAtOnce() {
    String bad = "<queueSize>0</queueSize><urgentLevel>LOUD</urgentLevel>";
    try (Joran joran = Joran.of(XML.formatted(bad, ""), logs)) {
      assertThat(joran.errors())
          .hasSize(3)
          .anyMatch(text -> text.contains("<queueSize>"))
          .anyMatch(text -> text.contains("<urgentLevel>"))
          .anyMatch(text -> text.contains("<appender-ref>"));
    }
  }

  @ParameterizedTest
  @CsvSource({"queueSize, many", "appendTimeout, soon", "ringBufferBytes, lots"})
  void aValueThatIsNoNumberIsReportedAndNothingIsThrown(String element, String value) {
    String xml = XML.formatted("<" + element + ">" + value + "</" + element + ">", REF);
    try (Joran joran = Joran.of(xml, logs)) {
      assertThat(joran.context().getStatusManager().getCopyOfStatusList())
          .anyMatch(status -> status.getLevel() > 0 && status.toString().contains(value));
      joran.context().getLogger("test").info("event");
      Conservation.assertHolds(joran.ring("RING").snapshot());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<quueSize>12</quueSize> | quueSize",
        "<maxFlushTime>0</maxFlushTime> | <maxFlushTime> 0: at most 60000 ms",
        "<maxFlushTime>5</maxFlushTime> | <maxFlushTime> is 5 ms: \"5 seconds\"",
        "<shutdownGracePeriod>30 ms</shutdownGracePeriod>"
            + " | <shutdownGracePeriod> is 30 ms: \"5 seconds\"",
        "<neverBlock>true</neverBlock><appendTimeout>10</appendTimeout>"
            + " | <appendTimeout> is 10 ms and <neverBlock> is true",
      })
  void whatIsHardlyMeantIsAWarningAndTheAppenderStarts(String body, String warning) {
    try (Joran joran = Joran.of(XML.formatted(body, REF), logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.warnings())
          .singleElement()
          .asString()
          .contains(warning.split(": (at most )?"));
      assertThat(joran.ring("RING").isStarted()).isTrue();
    }
  }

  @Test
  void aListenerOfAnotherLibraryIsReportedAndTheAppenderStartsWithoutIt() {
    String listener =
        "<listener class=\"net.logstash.logback.appender.listener."
            + "FailureSummaryLoggingAppenderListener\"/>";
    try (Joran joran = Joran.of(XML.formatted(listener, REF), logs)) {
      assertThat(joran.errors()).isNotEmpty();
      assertThat(joran.ring("RING").isStarted()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"off", "OFF", "trace", " Warn "})
  void urgentLevelIsReadWhateverItsCase(String level) {
    String xml = XML.formatted("<urgentLevel>" + level + "</urgentLevel>", REF);
    try (Joran joran = Joran.of(xml, logs)) {
      assertThat(joran.errors()).isEmpty();
      assertThat(joran.ring("RING").isStarted()).isTrue();
    }
  }
}
