package dev.forebay.it.boot;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** Named in a configuration: takes its time, so that the JVM's end finds events in the ring. */
public final class SlowEncoder extends PatternLayoutEncoder {

  private static final long EACH_MS = 10;

  /** For Logback. */
  public SlowEncoder() {}

  @Override
  public byte[] encode(ILoggingEvent event) {
    try {
      Thread.sleep(EACH_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return super.encode(event);
  }
}
