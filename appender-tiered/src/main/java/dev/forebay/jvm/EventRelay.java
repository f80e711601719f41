package dev.forebay.jvm;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import dev.forebay.NonBlockingAppender;
import dev.forebay.tiered.TieredAppender;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The appenders that get the JVM's lines as events, from the next start on. Each start has a ring
 * in front of them: one that blocks costs events, but never holds up the reading of the JVM's
 * files.
 */
final class EventRelay extends AppenderAttachableImpl<ILoggingEvent> {

  /** A JVM that starts with {@code -Xlog:all=trace} writes half as many lines in 0.1 s. */
  private static final int RING_SIZE = 32_768;

  /** The ring of the newest start; null if no appender was attached. */
  private volatile @Nullable NonBlockingAppender ring;

  /** Starts a ring with the times and listeners of another; null if there are no appenders. */
  @Nullable NonBlockingAppender start(TieredAppender like) {
    Iterator<Appender<ILoggingEvent>> all = iteratorForAppenders();
    ring = null;
    if (!all.hasNext()) {
      return null;
    }
    NonBlockingAppender made = new NonBlockingAppender();
    made.setRingBufferSize(RING_SIZE);
    made.setDiscardingThreshold(0); // no level of the JVM's lines is less important
    made.setContext(like.getContext());
    made.setName(like.getName() + "-events");
    made.pipelineOptions().takeTimes(like.pipelineOptions());
    all.forEachRemaining(appender -> made.addAppender(new Borrowed(appender)));
    made.start();
    ring = made;
    return made;
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

  /** Passes events on to an appender of the application, which it neither starts nor stops. */
  private static final class Borrowed extends UnsynchronizedAppenderBase<ILoggingEvent> {

    private final Appender<ILoggingEvent> lender;

    Borrowed(Appender<ILoggingEvent> lender) {
      this.lender = lender;
      setName(lender.getName());
    }

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
}
