package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pattern that asks for the caller is named when the appender starts. */
class CallerPatternTest {

  private static final String XML =
      """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.FileAppender">
          <file>%s/app.log</file><encoder><pattern>%s</pattern></encoder>
        </appender>
        <appender name="RING" class="dev.forebay.NonBlockingAppender">
          %s<appender-ref ref="FILE"/>
        </appender>
        <root level="TRACE"><appender-ref ref="RING"/></root>
      </configuration>
      """;

  @TempDir Path logs;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%d [%t:%C{1}@%L] - %m%n",
        "%class %msg%n",
        "%-40.40C{0} %msg%n",
        "%M %msg%n",
        "%method",
        "%L",
        "%line",
        "%F",
        "%file",
        "%caller{1}",
        "%highlight(%-5level %replace(%F){'a','b'}) %msg%n"
      })
  void aPatternThatAsksIsNamedOnceAtStart(String pattern) {
    try (Joran joran = Joran.of(XML.formatted(logs, pattern, ""), logs)) {
      assertThat(joran.warnings())
          .as("before any event")
          .singleElement()
          .asString()
          .contains("the pattern has %", "<includeCallerData>");
      joran.context().getLogger("test").info("event");
      joran.ring("RING").stop();
      assertThat(joran.warnings()).as("not again").hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%d %-5level [%t] %logger{36} - %msg%n%ex", "100\\% %msg \\%L%n"})
  void aPatternThatDoesNotAskIsNoReason(String pattern) {
    try (Joran joran = Joran.of(XML.formatted(logs, pattern, ""), logs)) {
      assertThat(joran.warnings()).isEmpty();
    }
  }

  @Test
  void whoFindsOutHasNoReason() {
    String included = "<includeCallerData>true</includeCallerData>";
    try (Joran joran = Joran.of(XML.formatted(logs, "%C %L", included), logs)) {
      assertThat(joran.warnings()).isEmpty();
    }
  }
}
