package dev.forebay.jvm;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import dev.forebay.NonBlockingAppender;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The appenders that get the JVM's lines as events, behind a ring of their own: one that blocks
 * costs events, but never holds up the reading of the JVM's files.
 */
final class EventRelay implements AppenderAttachable<ILoggingEvent> {

  /** A JVM that starts with {@code -Xlog:all=trace} writes half as many lines in 0.1 s. */
  private static final int RING_SIZE = 32_768;

  private final AppenderAttachableImpl<ILoggingEvent> attached = new AppenderAttachableImpl<>();
  private final NonBlockingAppender ring = new NonBlockingAppender();

  EventRelay() {
    ring.setRingBufferSize(RING_SIZE);
    ring.setDiscardingThreshold(0); // no level of the JVM's lines is less important
  }

  /** For its settings and its account. */
  NonBlockingAppender ring() {
    return ring;
  }

  boolean hasAppenders() {
    return attached.iteratorForAppenders().hasNext();
  }

  @Override
  public void addAppender(Appender<ILoggingEvent> appender) {
    if (!attached.isAttached(appender)) {
      attached.addAppender(appender);
      ring.addAppender(new BorrowedAppender(appender));
    }
  }

  @Override
  public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
    return attached.iteratorForAppenders();
  }

  @Override
  public @Nullable Appender<ILoggingEvent> getAppender(String name) {
    return attached.getAppender(name);
  }

  @Override
  public boolean isAttached(Appender<ILoggingEvent> appender) {
    return attached.isAttached(appender);
  }

  @Override
  public void detachAndStopAllAppenders() {
    attached.detachAndStopAllAppenders();
    ring.detachAndStopAllAppenders();
  }

  @Override
  public boolean detachAppender(@Nullable Appender<ILoggingEvent> appender) {
    if (appender != null) {
      giveBack(appender);
    }
    return attached.detachAppender(appender);
  }

  @Override
  public boolean detachAppender(String name) {
    return detachAppender(attached.getAppender(name));
  }

  private void giveBack(Appender<ILoggingEvent> appender) {
    for (Iterator<Appender<ILoggingEvent>> all = ring.iteratorForAppenders(); all.hasNext(); ) {
      Appender<ILoggingEvent> one = all.next();
      if (one instanceof BorrowedAppender borrowed && borrowed.isOf(appender)) {
        ring.detachAppender(one);
      }
    }
  }
}
