package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineTemplateTest {

  private static final LineTemplate.Dialect DIALECT =
      new LineTemplate.Dialect(EventTime.Form.THREES, ZoneOffset.UTC, true);

  private final Sample sample = Sample.plain(Level.INFO);
  private final LineTemplate template = new LineTemplate(bytes(""), sample, DIALECT);
  private final LineTemplate.Line line = new LineTemplate.Line();

  private static byte[] bytes(String more) {
    return ("{\"@timestamp\":\"2024-03-01T10:59:01.123456789Z\"" + more + "}\n").getBytes(UTF_8);
  }

  private boolean write(LineTemplate by, Map<String, String> mdc) {
    line.clear();
    return by.write(sample.event(null, mdc), mdc, null, line);
  }

  /** Another thread may still write by the template that has no place for it. */
  @Test
  void aKeyIsKnownWhereItsPlaceIs() {
    LineTemplate more = template.with("k", bytes(",\"k\":\"" + Sample.VALUE + "\""));
    assertThat(write(template, Map.of("k", "1"))).isFalse();
    assertThat(line.unknown).isEqualTo("k");
    assertThat(write(more, Map.of("k", "1"))).isTrue();
    assertThat(line.toBytes()).isEqualTo(bytes(",\"k\":\"1\""));
  }

  @Test
  void afterAllNumbersOfLinesFewAreCompared() {
    ILoggingEvent event = sample.event(null, Map.of());
    template.compared(event);
    template.written = Integer.MAX_VALUE - 10;
    int compared = 0;
    for (int i = 0; i < 10_000; i++) {
      compared += template.isToCompare(event) ? 1 : 0;
    }
    assertThat(compared).isBetween(2, 3);
  }
}
