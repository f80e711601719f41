package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.core.encoder.EchoEncoder;
import net.logstash.logback.encoder.LogstashEncoder;
import org.junit.jupiter.api.Test;

class TextEncodersTest {

  /** One that somebody derived from a known one. */
  private static final class Derived extends LogstashEncoder {}

  @Test
  void thoseInUseAreKnown() {
    assertThat(TextEncoders.includes(new PatternLayoutEncoder())).isTrue();
    assertThat(TextEncoders.includes(new JsonEncoder())).isTrue();
    assertThat(TextEncoders.includes(new LogstashEncoder())).isTrue();
    assertThat(TextEncoders.includes(new Derived())).isTrue();
  }

  @Test
  void whatOthersWriteIsNotKnown() {
    assertThat(TextEncoders.includes(new EchoEncoder<>())).isFalse();
  }
}
