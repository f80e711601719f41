package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each mistake in the configuration of a flight recorder gets a message. */
@Tag("once")
class FlightRecorderOptionsTest {

  private static final long SEGMENT = 4 << 20;

  private final FlightRecorderOptions options = new FlightRecorderOptions();
  private final ConfigFindings findings = new ConfigFindings();

  private List<String> messages() {
    return Joran.messages(findings);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          size        | 8388607   | 8388607 bytes: .* 8388608 bytes.*smaller <segmentSize>
          keep        | 0         | 0 ms: .*between 1 and
          keep        | long      | "long": .*a time
          after       | 2 minutes | 120000 ms.*60000 ms
          minInterval | 2 days    | .*86400000 ms
          maxDumps    | 0         | 0: .*10000
          level       | FINE      | "FINE": .*TRACE
          level       | ERROR     | ERROR.*<dumpOn> is WARN.*write a <level> of at most WARN
          dumpOn      | alarm     | "alarm": .*marker:NAME or OFF
          key         | ' '       | empty.*remove <key>
          """)
  void aMistakeIsNamedWithItsLimitsOrChoices(String element, String value, String message) {
    switch (element) {
      case "size" -> options.setSize(FileSize.valueOf(value));
      case "keep" -> options.setKeep(value);
      case "after" -> options.setAfter(value);
      case "minInterval" -> options.setMinInterval(value);
      case "maxDumps" -> options.setMaxDumps(Integer.parseInt(value));
      case "level" -> {
        options.setLevel(value);
        options.setDumpOn("WARN");
      }
      case "dumpOn" -> options.setDumpOn(value);
      default -> options.setKey(value);
    }

    options.validate(SEGMENT, findings);

    assertThat(findings.hasErrors()).isTrue();
    assertThat(messages())
        .singleElement()
        .asString()
        .containsPattern("<" + element + "> of <flightRecorder> is " + message);
  }
}
