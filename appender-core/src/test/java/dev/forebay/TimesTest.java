package dev.forebay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One rule for all times of a configuration. */
class TimesTest {

  @ParameterizedTest
  @CsvSource({
    "10sec, 10000",
    "10000, 10000",
    "PT10S, 10000",
    "1.5 seconds, 1500",
    ".5s, 500",
    "5 min, 300000",
    "2h, 7200000",
    "-1, -1",
    "' 7 ', 7",
    "0.9, 0",
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
}
