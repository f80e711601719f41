package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.Duration;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.testkit.Joran;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One rule for all times of a configuration. */
class TimesTest {

  private static final String XML =
      """
      <configuration>
        <appender name="LIST" class="dev.forebay.testkit.RecordingAppender"/>
        <appender name="RING" class="dev.forebay.NonBlockingAppender">
          <%1$s>%2$s</%1$s><appender-ref ref="LIST"/>
        </appender>
        <root level="TRACE"><appender-ref ref="RING"/></root>
      </configuration>
      """;

  @TempDir Path logs;

  @ParameterizedTest
  @ValueSource(strings = {"appendTimeout", "maxFlushTime", "shutdownGracePeriod", "reportInterval"})
  void tenSecondsAreTenSecondsHoweverTheyAreWritten(String element) {
    for (String text :
        List.of("10s", "10 s", "10S", "10 seconds", "10sec", "10000", "10000ms", "PT10S")) {
      try (Joran joran = Joran.of(XML.formatted(element, text), logs)) {
        assertThat(joran.errors()).isEmpty();
        assertThat(joran.warnings()).isEmpty();
        assertThat(TimeUnit.NANOSECONDS.toMillis(timeNs(joran.ring("RING"), element)))
            .as("<%s> %s", element, text)
            .isEqualTo(10_000);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"appendTimeout", "maxFlushTime", "shutdownGracePeriod", "reportInterval"})
  void whatIsNoTimeIsAnErrorThatSaysWhatToWrite(String element) {
    try (Joran joran = Joran.of(XML.formatted(element, "10 parsecs"), logs)) {
      assertThat(joran.errors())
          .singleElement()
          .asString()
          .contains("<" + element + "> is \"10 parsecs\": must be a time", "\"10 seconds\"");
      assertThat(joran.ring("RING").isStarted()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, 500", "500 MS, 500", "1.5 seconds, 1500", ".5s, 500", "5m, 300000", "5 min, 300000",
    "2h, 7200000", "1d, 86400000", "-1, -1", "0, 0", "' 7 ', 7", "0.9, 0",
    "99999999999999999999, 9223372036854775807"
  })
  void unitsMayBeShortOrWrittenOut(String text, long ms) {
    assertThat(TimeText.toMs(text)).hasValue(ms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "s", "ten seconds", "1,5 s", "5 s s", "1 2", "5x", "--5", "PT", "1e3"})
  void whatIsNoTimeIsNone(String text) {
    assertThat(TimeText.toMs(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7", "7 milli", "7 millis", "7 millisecond", "7 milliseconds", "7 second", "7 seconds",
        "7 seconde", "1.5 minutes", "2 minute", "1 hour", "3 hours", "1 day", "2 days"
      })
  void whatLogbackReadsMeansTheSame(String text) {
    assertThat(TimeText.toMs(text))
        .isEqualTo(OptionalLong.of(Duration.valueOf(text).getMilliseconds()));
  }

  private static long timeNs(NonBlockingAppender ring, String element) {
    PipelineSettings settings = ring.pipelineOptions().validate("A", new ConfigFindings());
    return switch (element) {
      case "appendTimeout" -> settings.appendTimeoutNs();
      case "reportInterval" -> settings.reportIntervalNs();
      default -> settings.maxFlushNs();
    };
  }
}
