package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * Encodes by a pattern and notes how old a sample of the events is by then. Called by the thread of
 * an asynchronous appender, or by all that log at once.
 */
public final class ResidenceEncoder extends PatternLayoutEncoder {

  @Override
  public byte[] encode(ILoggingEvent event) {
    Residence.sample(event.getInstant());
    return super.encode(event);
  }
}
