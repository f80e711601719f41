package dev.forebay.it.demo.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events that reach the root logger and does nothing else. It stands before the watched
 * appender in the configuration, so that "events offered" is known without asking that appender.
 */
public final class OfferedCounter extends UnsynchronizedAppenderBase<ILoggingEvent> {

  private static final LongAdder OFFERED = new LongAdder();

  /** Called by Logback. */
  public OfferedCounter() {}

  @Override
  protected void append(ILoggingEvent event) {
    OFFERED.increment();
  }

  /** Events counted by all instances of this JVM. */
  static long offered() {
    return OFFERED.sum();
  }
}
