package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.tiered.spool.Attributes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EventAttributesTest {

  private static LoggingEvent event(String logger, Level level) {
    LoggerContext context = new LoggerContext();
    return new LoggingEvent("", context.getLogger(logger), level, "hello", null, null);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void whatIsEncodedIsDecodedAndTheLineStaysAsItIs() {
    LoggingEvent event = event("a.b.Ü", Level.WARN);
    byte[] line = "line\n".getBytes(StandardCharsets.UTF_8);

    ByteBuffer payload =
        ByteBuffer.wrap(
            Attributes.join(EventAttributes.encode(event, "schlüssel", true), line, line.length));
    EventAttributes found = EventAttributes.decode(Attributes.take(payload));

    assertThat(found.level()).isEqualTo("WARN");
    assertThat(found.timeMs()).isEqualTo(event.getTimeStamp());
    assertThat(text(found.key())).isEqualTo("schlüssel");
    assertThat(text(found.logger())).isEqualTo("a.b.Ü");
    assertThat(payload).isEqualTo(ByteBuffer.wrap(line));
  }

  @Test
  void whatIsNotWantedIsNotThere() {
    byte[] encoded = EventAttributes.encode(event("a", Level.TRACE), null, false);

    EventAttributes found = EventAttributes.decode(ByteBuffer.wrap(encoded));

    assertThat(found.level()).isEqualTo("TRACE");
    assertThat(found.key()).isNull();
    assertThat(found.logger()).isNull();
  }

  @Test
  void theLongestFitAndDamageIsNoError() {
    String longest = "x".repeat(1 << 20);
    byte[] encoded = EventAttributes.encode(event(longest, Level.INFO), longest, true);
    assertThat(encoded.length).isLessThanOrEqualTo(Attributes.MAX_BYTES);

    for (int length = 0; length < 64; length++) {
      EventAttributes found = EventAttributes.decode(ByteBuffer.wrap(encoded, 0, length));
      assertThat(found.logger()).isNull();
    }
  }
}
