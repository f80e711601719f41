package dev.forebay.logstash;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.helpers.NOPAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.LifeCycle;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.logstash.logback.appender.listener.AppenderListener;
import org.jspecify.annotations.Nullable;

/**
 * Passes drops on to listeners written for logstash-logback-encoder's appenders:
 *
 * <pre>{@code
 * <listener class="dev.forebay.logstash.LogstashListener">
 *   <delegate class="net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener"/>
 * </listener>
 * }</pre>
 *
 * <p>{@code eventAppendFailed} is called once for each dropped event, with a sample of its reason
 * and level in place of the event itself; {@code eventAppended} once when the drops have ended or
 * the appender stops, which is what makes the failure summaries speak, and not for every event. All
 * on the reporter's thread.
 */
public final class LogstashListener extends ContextAwareBase implements FailureListener, LifeCycle {

  private final List<AppenderListener<ILoggingEvent>> delegates = new ArrayList<>();
  private Appender<ILoggingEvent> parent = new NOPAppender<>();
  private boolean started;

  /** Written and read by the reporter's thread. */
  private @Nullable ILoggingEvent lastSample;

  /** A bridge to no listener yet. */
  public LogstashListener() {}

  /** Adds a listener to pass on to; at least one is needed. */
  public void addDelegate(AppenderListener<ILoggingEvent> delegate) {
    delegates.add(delegate);
  }

  /** The appender whose drops are passed on; set by Joran. */
  public void setParent(Appender<ILoggingEvent> appender) {
    parent = appender;
  }

  @Override
  public void start() {
    if (delegates.isEmpty()) {
      addWarn(
          "<listener class=\"" + getClass().getName() + "\"> has no <delegate>: it does nothing");
    }
    started = true;
  }

  @Override
  public void stop() {
    started = false;
  }

  @Override
  public boolean isStarted() {
    return started;
  }

  @Override
  public void onAppenderStarted(String appender) {
    tellAll(delegate -> delegate.appenderStarted(parent));
  }

  @Override
  public void onAppenderStopped(String appender) {
    onDropsEnded(appender);
    tellAll(delegate -> delegate.appenderStopped(parent));
  }

  @Override
  public void onDropped(String appender, List<DropSummary> drops) {
    for (DropSummary drop : drops) {
      ILoggingEvent sample = drop.sample() == null ? lastSample : drop.sample();
      if (sample == null) {
        continue;
      }
      lastSample = sample;
      IllegalStateException reason = new IllegalStateException("dropped: " + drop.reason());
      tellAll(
          delegate -> {
            for (long i = 0; i < drop.count(); i++) {
              delegate.eventAppendFailed(parent, sample, reason);
            }
          });
    }
  }

  @Override
  public void onDropsEnded(String appender) {
    ILoggingEvent sample = lastSample;
    lastSample = null;
    if (sample != null) {
      tellAll(delegate -> delegate.eventAppended(parent, sample, 0));
    }
  }

  private void tellAll(Consumer<AppenderListener<ILoggingEvent>> item) {
    for (AppenderListener<ILoggingEvent> delegate : delegates) {
      try {
        item.accept(delegate);
      } catch (Throwable t) { // foreign code; the other delegates must be told
        addWarn("Listener " + delegate.getClass().getName() + " threw", t);
      }
    }
  }
}
