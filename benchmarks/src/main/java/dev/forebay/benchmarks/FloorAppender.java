package dev.forebay.benchmarks;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** The share of a log call that is Logback's, whatever appender follows. Keeps nothing. */
final class FloorAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

  private final boolean prepares;

  /**
   * @param prepares whether events are made fit for another thread, which formats their message, as
   *     every asynchronous appender has to
   */
  FloorAppender(boolean prepares) {
    this.prepares = prepares;
  }

  /** Passes over the filters and the guard of the base class, which appenders may do without. */
  @Override
  public void doAppend(ILoggingEvent event) {
    append(event);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (prepares) {
      event.prepareForDeferredProcessing();
    }
  }
}
