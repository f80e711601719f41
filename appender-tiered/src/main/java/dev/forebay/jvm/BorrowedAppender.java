package dev.forebay.jvm;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** Passes events on to an appender of others, which it neither starts nor stops. */
final class BorrowedAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

  private final Appender<ILoggingEvent> lender;

  BorrowedAppender(Appender<ILoggingEvent> lender) {
    this.lender = lender;
    setName(lender.getName());
  }

  /** Whether it passes on to this one. */
  boolean isOf(Appender<?> appender) {
    return lender == appender;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public boolean isStarted() {
    return lender.isStarted();
  }

  @Override
  public void doAppend(ILoggingEvent event) {
    lender.doAppend(event);
  }

  @Override
  protected void append(ILoggingEvent event) {
    doAppend(event);
  }
}
