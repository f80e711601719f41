package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.spi.ILoggingEvent;
import net.logstash.logback.encoder.LogstashEncoder;

/**
 * Samples as {@link ResidenceWord} does, but writes JSON as {@link LogstashEncoder} does by
 * default. Of the peers that log through Logback with {@code -Dlab.encoder=} and the name of this
 * class.
 */
public final class JsonResidenceEncoder extends LogstashEncoder {

  /** The pattern in the configuration is that of the other encoder. */
  @SuppressWarnings("unused")
  public void setPattern(String unused) {
    // JSON has none.
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    Residence.sample(event.getInstant());
    return super.encode(event);
  }
}
