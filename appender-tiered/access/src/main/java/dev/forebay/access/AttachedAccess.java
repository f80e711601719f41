package dev.forebay.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.net.AbstractSocketAppender;
import dev.forebay.AttachedAppenders;
import java.io.Flushable;
import java.io.IOException;

/** An appender for access events behind a ring of log events. */
final class AttachedAccess extends UnsynchronizedAppenderBase<ILoggingEvent> implements Flushable {

  private final Appender<IAccessEvent> appender;

  /** False for an appender that serializes events: it fails on classes other than Logback's. */
  private final boolean takesCopies;

  AttachedAccess(Appender<IAccessEvent> appender) {
    this.appender = appender;
    this.takesCopies = !(appender instanceof AbstractSocketAppender<?>);
  }

  Appender<IAccessEvent> appender() {
    return appender;
  }

  @Override
  public String getName() {
    return appender.getName();
  }

  @Override
  public boolean isStarted() {
    return appender.isStarted();
  }

  @Override
  public void start() {
    appender.start();
  }

  @Override
  public void stop() {
    appender.stop();
  }

  @Override
  public void doAppend(ILoggingEvent event) {
    Object taken = event instanceof CarriedEvent carried ? carried.taken() : null;
    TakenEvent copy = taken instanceof TakenEvent known ? known : TakenEvent.of(event);
    IAccessEvent passed = takesCopies ? copy : copy.prepared();
    if (passed != null) {
      appender.doAppend(passed);
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    doAppend(event);
  }

  @Override
  public void flush() throws IOException {
    AttachedAppenders.flush(appender);
  }
}
