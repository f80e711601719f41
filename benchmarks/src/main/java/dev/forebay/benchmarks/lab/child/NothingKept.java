package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** The share of a log call that is Logback's, whatever appender follows. */
public final class NothingKept extends UnsynchronizedAppenderBase<ILoggingEvent> {

  /** Passes over the filters and the guard of the base class, which appenders may do without. */
  @Override
  public void doAppend(ILoggingEvent event) {
    // Nothing is kept.
  }

  @Override
  protected void append(ILoggingEvent event) {
    // Never called.
  }
}
