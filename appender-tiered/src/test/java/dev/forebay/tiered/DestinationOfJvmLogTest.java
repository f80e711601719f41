package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DestinationOfJvmLogTest {

  @Test
  void isRefusedSinceTheJvmsLinesHaveNoAttributes() {
    TieredOptions options = new TieredOptions();
    options.jvm = new JvmOptions();
    options.destination = new Nowhere();
    ConfigFindings findings = new ConfigFindings();

    TieredSettings unused = options.validate(Path.of("nowhere"), null, findings);

    assertThat(findings.hasErrors()).isTrue();
  }

  private static final class Nowhere implements DestinationOptions {

    @Override
    public String name() {
      return "nowhere";
    }

    @Override
    public void validate(long commitMs, ConfigFindings findings) {}

    @Override
    public byte[] attributes(ILoggingEvent event) {
      return new byte[0];
    }

    @Override
    public Filter<ILoggingEvent> ownLog() {
      return null;
    }

    @Override
    public Destination destination(
        byte[] header, byte[] footer, byte[] lineEnd, ShippingListener listener) {
      return null;
    }
  }
}
