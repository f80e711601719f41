package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * Encodes by a pattern and notes how old a sample of the events is by then. Called by the thread of
 * an asynchronous appender, or by all that log at once.
 */
public final class ResidenceEncoder extends PatternLayoutEncoder {

  /** One in so many events, minus one. */
  private static final int SAMPLE_MASK = 63;

  /** Threads may overwrite each other's number: then the sample is a little larger or smaller. */
  private int events;

  @Override
  public byte[] encode(ILoggingEvent event) {
    if ((events++ & SAMPLE_MASK) == 0) {
      Residence.add(Duration.between(event.getInstant(), Instant.now()).toNanos());
    }
    return super.encode(event);
  }
}
