package dev.forebay;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import dev.forebay.AttachedAppenders.Attached;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.CallerWords;
import dev.forebay.pipeline.JmxRegistration;
import dev.forebay.pipeline.NamedBean;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineBean;
import dev.forebay.pipeline.PipelineContext;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.redact.EventRedactor;
import dev.forebay.redact.Redactor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An appender whose log calls never wait: a bounded ring in front of any other appenders, named by
 * {@code <appender-ref>}. Replaces Logback's {@code AsyncAppender} and logstash-logback-encoder's
 * {@code LoggingEventAsyncDisruptorAppender}.
 *
 * <p>Configure and start it on one thread at a time; everything else is thread-safe. It can be
 * started again after a stop. {@link #snapshot} accounts for every event.
 */
public final class NonBlockingAppender extends UnsynchronizedAppenderBase<ILoggingEvent>
    implements AppenderAttachable<ILoggingEvent>, PipelineProperties {

  private final PipelineOptions options = new PipelineOptions();
  private final AttachedAppenders attached = new AttachedAppenders();
  private final Ledger ledger = new Ledger();
  private final AppendGate gate = new AppendGate(ledger);
  private final Statuses statuses = new Statuses(this);
  private final Stopper stopper = new Stopper(this, gate);

  public NonBlockingAppender() {}

  @Override
  public PipelineOptions pipelineOptions() {
    return options;
  }

  @Override
  public synchronized void start() {
    if (!isStarted()) {
      statuses.start(this::startHere);
    }
  }

  private void startHere() {
    stopper.await();
    ConfigFindings findings = new ConfigFindings();
    Set<String> foreign = new LinkedHashSet<>();
    for (Attached to : attached.all()) {
      if (to.appender() instanceof OutputStreamAppender<?> stream && stream.getEncoder() != null) {
        CallerWords words = CallerWords.of(stream.getEncoder());
        findings.checkCallers(options, words.asking());
        foreign.addAll(words.foreign());
      }
    }
    findings.checkForeign(foreign, "unless it reads the event only");
    PipelineSettings settings = options.validate(String.valueOf(getName()), findings);
    if (attached.all().isEmpty()) {
      findings.error("no <appender-ref>: at least one attached appender is needed");
    }
    Redactor redactor = settings.redactor();
    if (redactor != null) {
      redactor.reportTo(statuses::warn);
      if (options.carriesOthers) {
        findings.error(
            "<redact> is not for appenders of requests, which may write any part of them: write it in an AccessTieredAppender");
      }
    }
    findings.checkElements(getContext());
    findings.checkShutdownHook(getContext());
    findings.checkEvents(getContext(), options);
    findings.reportTo(statuses);
    if (findings.hasErrors()) {
      return;
    }
    DelegateSink freshSink =
        new DelegateSink(attached, ledger, redactor == null ? null : new EventRedactor(redactor));
    Pipeline fresh = newPipeline(settings, freshSink);
    attached.begin(freshSink, fresh.failures());
    attached.all().forEach(to -> startIfStopped(to.appender()));
    try {
      fresh.start();
      super.start();
      gate.open(fresh);
    } finally {
      if (!isStarted()) { // an Error has aborted the start: everything begun is undone
        fresh.stop();
      }
    }
  }

  /** Starts an appender. If that fails, its events count as failed; the rest are not affected. */
  private void startIfStopped(Appender<ILoggingEvent> appender) {
    if (appender.isStarted()) {
      return;
    }
    try {
      appender.start();
    } catch (RuntimeException | LinkageError e) {
      statuses.warn("start of appender [" + appender.getName() + "] failed", e);
    }
  }

  private Pipeline newPipeline(PipelineSettings settings, DelegateSink to) {
    LoggerContext context = PipelineContext.loggerContext(getContext());
    return new Pipeline(
        settings,
        to,
        ledger,
        options.listeners(),
        () ->
            new JmxRegistration(
                context,
                settings.appender(),
                new NamedBean(mxBean(), AppenderMXBean.class),
                statuses),
        new PipelineContext(context, NanoClock.SYSTEM, InstantSource.system()::millis, statuses),
        null);
  }

  /**
   * Drains the ring into the attached appenders and stops them within {@code maxFlushTime}, plus at
   * most half a second for the listeners. Events left in the ring count as {@code ABANDONED}. Safe
   * to call at any time, from any thread, and repeatedly.
   *
   * <p>Inside a log call, in which Logback's sifting appender stops appenders, it does not wait:
   * events are refused from then on, and another thread does the rest.
   */
  @Override
  public void stop() {
    stopper.stop(
        running -> {
          super.stop();
          return () -> end(running);
        });
  }

  private void end(Pipeline running) {
    boolean drained = running.stop();
    if (!drained) {
      statuses.warn("stop() timed out after <maxFlushTime>: " + snapshot(), null);
    }
    statuses.stopped(drained);
  }

  /** Replaces Logback's method: counts refused events and adds no status on the caller's thread. */
  @Override
  public void doAppend(ILoggingEvent event) {
    gate.log(event, this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    doAppend(event);
  }

  /** The account of all events since the appender was created. Takes a lock no log call takes. */
  public LedgerSnapshot snapshot() {
    return ledger.snapshot();
  }

  /** What JMX shows, before the first start too. */
  public AppenderMXBean mxBean() {
    return new PipelineBean(gate);
  }

  /**
   * Waits until all events offered before the call are in the attached appenders. An interrupt does
   * not end the wait; the interrupt flag stays set.
   *
   * @param timeout longest wait; 0 only checks
   * @return whether they are; false if the time is over or the appender was never started
   */
  public boolean flush(Duration timeout) {
    return gate.flush(timeout);
  }

  /**
   * Attaches an appender, which must be started if this one runs. Refuses one that would pass its
   * events back to this one.
   */
  @Override
  public synchronized void addAppender(Appender<ILoggingEvent> appender) {
    if (isAttached(appender)) {
      return;
    }
    if (AttachedAppenders.isUpstreamOf(appender, this)) {
      statuses.warn(
          "appender [%s] is not attached: it would pass events back to this appender"
              .formatted(appender.getName()));
      return;
    }
    attached.add(appender);
  }

  @Override
  public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
    return attached.all().stream().map(Attached::appender).iterator();
  }

  @Override
  public @Nullable Appender<ILoggingEvent> getAppender(String name) {
    return attached.find(each -> name != null && name.equals(each.getName()));
  }

  @Override
  public boolean isAttached(Appender<ILoggingEvent> appender) {
    return attached.find(each -> each == appender) != null;
  }

  @Override
  public void detachAndStopAllAppenders() {
    attached.detachAndStopAll();
  }

  @Override
  public boolean detachAppender(Appender<ILoggingEvent> appender) {
    return attached.detach(appender);
  }

  @Override
  public boolean detachAppender(String name) {
    Appender<ILoggingEvent> named = getAppender(name);
    return named != null && attached.detach(named);
  }
}
