package dev.forebay.jvm;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import dev.forebay.NonBlockingAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The appenders that get the JVM's lines as events, behind a ring of their own: one that blocks
 * costs events, but never holds up the reading of the JVM's files.
 */
final class EventRelay implements AppenderAttachable<ILoggingEvent> {

  /** A JVM that starts with {@code -Xlog:all=trace} writes half as many lines in 0.1 s. */
  private static final int RING_SIZE = 32_768;

  private final AppenderAttachableImpl<ILoggingEvent> attached = new AppenderAttachableImpl<>();

  /** For the ring, should there be one. */
  private final List<Consumer<NonBlockingAppender>> settings = new ArrayList<>();

  /** Made once, for the first appender, by the configuring thread; it has the account. */
  private volatile @Nullable NonBlockingAppender ring;

  /** Sets something on the ring, as soon as there is one. */
  void configure(Consumer<NonBlockingAppender> setting) {
    settings.add(setting);
    NonBlockingAppender made = ring;
    if (made != null) {
      setting.accept(made);
    }
  }

  private NonBlockingAppender ring() {
    NonBlockingAppender made = ring;
    if (made == null) {
      made = new NonBlockingAppender();
      made.setRingBufferSize(RING_SIZE);
      made.setDiscardingThreshold(0); // no level of the JVM's lines is less important
      for (Consumer<NonBlockingAppender> setting : settings) {
        setting.accept(made);
      }
      ring = made;
    }
    return made;
  }

  /**
   * Starts the ring if there are appenders.
   *
   * @return where events go; null if there are none
   */
  @Nullable Consumer<ILoggingEvent> start() {
    if (!attached.iteratorForAppenders().hasNext()) {
      return null;
    }
    NonBlockingAppender started = ring();
    started.start();
    return started::doAppend;
  }

  void stop() {
    NonBlockingAppender made = ring;
    if (made != null) {
      made.stop();
    }
  }

  /** Whether the appenders have all events, after this time at most. */
  boolean flush(Duration timeout) {
    NonBlockingAppender made = ring;
    return made == null || !made.isStarted() || made.flush(timeout);
  }

  @Override
  public void addAppender(Appender<ILoggingEvent> appender) {
    if (!attached.isAttached(appender)) {
      attached.addAppender(appender);
      ring().addAppender(new BorrowedAppender(appender));
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
    NonBlockingAppender made = ring;
    if (made != null) {
      made.detachAndStopAllAppenders();
    }
  }

  @Override
  public boolean detachAppender(@Nullable Appender<ILoggingEvent> appender) {
    NonBlockingAppender made = ring;
    if (appender != null && made != null) {
      giveBack(appender, made);
    }
    return attached.detachAppender(appender);
  }

  @Override
  public boolean detachAppender(String name) {
    return detachAppender(attached.getAppender(name));
  }

  private static void giveBack(Appender<ILoggingEvent> appender, NonBlockingAppender ring) {
    for (Iterator<Appender<ILoggingEvent>> all = ring.iteratorForAppenders(); all.hasNext(); ) {
      Appender<ILoggingEvent> one = all.next();
      if (one instanceof BorrowedAppender borrowed && borrowed.isOf(appender)) {
        ring.detachAppender(one);
      }
    }
  }
}
