package dev.forebay.logstash;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.CallerData;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.helpers.NOPAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.LifeCycle;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.logstash.logback.appender.listener.AppenderListener;

/**
 * Passes drops on to listeners written for logstash-logback-encoder's appenders:
 *
 * <pre>{@code
 * <listener class="dev.forebay.logstash.LogstashListener">
 *   <delegate class="net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener"/>
 * </listener>
 * }</pre>
 *
 * <p>Once per report interval, {@code eventAppendFailed} is called once for each dropped event, at
 * most 1000 times per reason and level; the exception of the last call then gives the real count.
 * The calls get a sample of that reason and level instead of each event itself. {@code
 * eventAppended} follows once, which triggers the failure summaries; it is not called for every
 * event. All calls are made on the reporter's thread.
 */
public final class LogstashListener extends ContextAwareBase implements FailureListener, LifeCycle {

  /** A delegate counts calls; millions would keep the reporter from its other work. */
  private static final long MAX_CALLS = 1000;

  private final List<AppenderListener<ILoggingEvent>> delegates = new ArrayList<>();
  private Appender<ILoggingEvent> parent = new NOPAppender<>();
  private boolean started;

  /** Creates a bridge without listeners. */
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
    callAll(delegate -> delegate.appenderStarted(parent));
  }

  @Override
  public void onAppenderStopped(String appender) {
    callAll(delegate -> delegate.appenderStopped(parent));
  }

  @Override
  public void onDropped(String appender, List<DropSummary> drops) {
    for (DropSummary drop : drops) {
      ILoggingEvent sample = sampleOf(drop);
      IllegalStateException reason = new IllegalStateException("dropped: " + drop.reason());
      IllegalStateException last =
          drop.count() <= MAX_CALLS
              ? reason
              : new IllegalStateException(
                  "dropped: %s, %d in all, of which %d are counted here"
                      .formatted(drop.reason(), drop.count(), MAX_CALLS));
      callAll(
          delegate -> {
            for (long i = 1; i < Math.min(MAX_CALLS, drop.count()); i++) {
              delegate.eventAppendFailed(parent, sample, reason);
            }
            delegate.eventAppendFailed(parent, sample, last);
          });
    }
    ILoggingEvent newest = sampleOf(drops.get(drops.size() - 1));
    callAll(delegate -> delegate.eventAppended(parent, newest, 0));
  }

  /** There is none if the ring was full before the first of these events was formatted. */
  private static ILoggingEvent sampleOf(DropSummary drop) {
    if (drop.sample() != null) {
      return drop.sample();
    }
    LoggingEvent event = new LoggingEvent();
    event.setLoggerName("dev.forebay");
    event.setLevel(Level.convertAnSLF4JLevel(drop.level()));
    event.setMessage("one of %d events dropped: %s".formatted(drop.count(), drop.reason()));
    event.setThreadName(Thread.currentThread().getName());
    event.setInstant(Instant.ofEpochMilli(drop.lastMs()));
    event.setMDCPropertyMap(Map.of());
    event.setCallerData(CallerData.EMPTY_CALLER_DATA_ARRAY);
    return event;
  }

  private void callAll(Consumer<AppenderListener<ILoggingEvent>> item) {
    for (AppenderListener<ILoggingEvent> delegate : delegates) {
      try {
        item.accept(delegate);
      } catch (Throwable t) { // foreign code; the other delegates must be called
        addWarn("Listener " + delegate.getClass().getName() + " threw", t);
      }
    }
  }
}
