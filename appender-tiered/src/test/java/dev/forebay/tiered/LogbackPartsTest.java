package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.core.encoder.EchoEncoder;
import ch.qos.logback.core.encoder.Encoder;
import java.util.function.Supplier;
import net.logstash.logback.encoder.LogstashEncoder;
import org.junit.jupiter.api.Test;

class LogbackPartsTest {

  /** One that somebody derived from a known one. */
  private static final class Derived extends LogstashEncoder {}

  @Test
  void thoseInUseAreKnown() {
    assertThat(LogbackParts.writesText(new PatternLayoutEncoder())).isTrue();
    assertThat(LogbackParts.writesText(new JsonEncoder())).isTrue();
    assertThat(LogbackParts.writesText(new LogstashEncoder())).isTrue();
    assertThat(LogbackParts.writesText(new Derived())).isTrue();
  }

  @Test
  void whatOthersWriteIsNotKnown() {
    assertThat(LogbackParts.writesText(new EchoEncoder<>())).isFalse();
  }

  /** As for access events. */
  private static final class Adapter extends EchoEncoder<Object> implements Supplier<Encoder<?>> {

    private final Encoder<?> adapted;

    Adapter(Encoder<?> adapted) {
      this.adapted = adapted;
    }

    @Override
    public Encoder<?> get() {
      return adapted;
    }
  }

  @Test
  void anAdapterWritesWhatTheEncoderBehindItDoes() {
    assertThat(LogbackParts.writesText(new Adapter(new PatternLayoutEncoder()))).isTrue();
    assertThat(LogbackParts.writesText(new Adapter(new EchoEncoder<>()))).isFalse();
  }
}
