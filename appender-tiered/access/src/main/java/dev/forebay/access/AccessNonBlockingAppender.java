package dev.forebay.access;

import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import dev.forebay.AttachedAppenders;
import dev.forebay.NonBlockingAppender;
import dev.forebay.PipelineOptions;
import dev.forebay.observe.LedgerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bounded ring in front of any other appenders of access events, named by {@code <appender-ref>}:
 * a {@link NonBlockingAppender} for the events of logback-access. Replaces
 * logstash-logback-encoder's {@code AccessEventAsyncDisruptorAppender}.
 *
 * <p>The attached appenders get a copy of each event, taken by the thread that served the request,
 * without request and response, which the server uses again; a socket appender of Logback's, which
 * serializes nothing else, gets the event itself, and no report. What depends on levels has no
 * meaning. A report of drops is an access event with the text as its request and the status 0.
 *
 * <p>Stopped by what stops its context: Tomcat's valve or Jetty's request log. Configuring and
 * starting are for one thread at a time; everything else is thread-safe. It can be started again
 * after a stop.
 */
public final class AccessNonBlockingAppender extends UnsynchronizedAppenderBase<IAccessEvent>
    implements AppenderAttachable<IAccessEvent>, AccessProperties {

  private final NonBlockingAppender ring = new NonBlockingAppender();

  public AccessNonBlockingAppender() {
    pipelineOptions().carryOthers();
    ring.setDiscardingThreshold(0); // one level: it has the whole ring
    ring.addFilter(new AccessFilters(this));
  }

  @Override
  public PipelineOptions pipelineOptions() {
    return ring.pipelineOptions();
  }

  @Override
  public synchronized void start() {
    if (isStarted()) {
      return;
    }
    ring.setContext(getContext());
    ring.setName(getName());
    ring.start();
    RunningAppenders.note(this);
  }

  /** See {@link NonBlockingAppender#stop}. */
  @Override
  public void stop() {
    ring.stop();
    RunningAppenders.note(this);
  }

  @Override
  public boolean isStarted() {
    return ring.isStarted();
  }

  /** Counts refused events and adds no status on the caller's thread. */
  @Override
  public void doAppend(IAccessEvent event) {
    CarriedEvent carried = new CarriedEvent(event, taken -> TakenEvent.of(taken).withTexts());
    ring.doAppend(carried);
    carried.leaveRequest();
  }

  @Override
  protected void append(IAccessEvent event) {
    doAppend(event);
  }

  /** See {@link NonBlockingAppender#snapshot}. */
  public LedgerSnapshot snapshot() {
    return ring.snapshot();
  }

  /** See {@link NonBlockingAppender#flush}. */
  public boolean flush(Duration timeout) {
    return ring.flush(timeout);
  }

  /**
   * Attaches an appender, which must be started if this one runs. Refuses one that would pass its
   * events back to this one.
   */
  @Override
  public synchronized void addAppender(Appender<IAccessEvent> appender) {
    if (AttachedAppenders.isUpstreamOf(appender, this)) {
      addWarn(
          "Appender [%s]: appender [%s] is not attached: it would pass events back to this appender"
              .formatted(getName(), appender.getName()));
    } else if (!isAttached(appender)) {
      ring.addAppender(new AttachedAccess(appender));
    }
  }

  private List<AttachedAccess> attached() {
    List<AttachedAccess> all = new ArrayList<>();
    for (Iterator<Appender<ILoggingEvent>> each = ring.iteratorForAppenders(); each.hasNext(); ) {
      all.add((AttachedAccess) each.next());
    }
    return all;
  }

  @Override
  public Iterator<Appender<IAccessEvent>> iteratorForAppenders() {
    return attached().stream().map(AttachedAccess::appender).iterator();
  }

  @Override
  public @Nullable Appender<IAccessEvent> getAppender(String name) {
    return ring.getAppender(name) instanceof AttachedAccess found ? found.appender() : null;
  }

  @Override
  public boolean isAttached(Appender<IAccessEvent> appender) {
    return attached().stream().anyMatch(each -> each.appender() == appender);
  }

  @Override
  public void detachAndStopAllAppenders() {
    ring.detachAndStopAllAppenders();
  }

  @Override
  public boolean detachAppender(Appender<IAccessEvent> appender) {
    return attached().stream()
        .filter(each -> each.appender() == appender)
        .anyMatch(ring::detachAppender);
  }

  @Override
  public boolean detachAppender(String name) {
    return ring.detachAppender(name);
  }
}
