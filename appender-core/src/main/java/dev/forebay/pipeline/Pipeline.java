package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.Patience;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.observe.OutputHealth;
import dev.forebay.observe.StandardError;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One start of an appender: a ring, its flusher and its reporter, from {@link #start} to {@link
 * #stop}. Not restartable; the next start creates another one.
 */
public final class Pipeline {

  /** Limit of the reporter's part of a stop: a listener may block. */
  private static final long REPORTER_STOP_NS = 250_000_000;

  private final PipelineSettings settings;
  private final EventSink sink;
  private final Ledger ledger;
  private final PipelineContext context;
  private final NanoClock clock;
  private final EventRing ring;
  private final HoleWatch holes;
  private final Admission admission;
  private final Flusher flusher;
  private final AgentThread flusherThread;
  private final Reporter reporter;
  private final FailureNotifier notifier;
  private final DropCursor inLogDrops;

  /** The rest of {@link #REPORTER_STOP_NS}. Used by the thread that stops the appender. */
  private long reporterStopNs = REPORTER_STOP_NS;

  /** Set at the end of stop(): nothing is delivered after that. */
  private volatile boolean ended;

  /**
   * @param settings validated
   * @param sink the stage after the ring
   * @param ledger the appender's account
   * @param listeners notified of drops and failures
   * @param outposts makes what others look at, some time after the start
   * @param context context, clocks, warnings
   * @param names names of the threads
   */
  public Pipeline(
      PipelineSettings settings,
      EventSink sink,
      Ledger ledger,
      List<FailureListener> listeners,
      Supplier<? extends Outpost> outposts,
      PipelineContext context,
      ThreadNames names) {
    this(settings, sink, ledger, listeners, outposts, context, names, sink.ownPark());
  }

  /** For tests: with another park policy; null: as events come. */
  Pipeline(
      PipelineSettings settings,
      EventSink sink,
      Ledger ledger,
      List<FailureListener> listeners,
      Supplier<? extends Outpost> outposts,
      PipelineContext context,
      ThreadNames names,
      @Nullable ParkPolicy park) {
    this.settings = settings;
    this.sink = sink;
    this.ledger = ledger;
    this.context = context;
    this.clock = context.clock();
    this.ring = new EventRing(settings.ringCapacity(), settings.ringBytes(), ledger);
    this.holes = new HoleWatch(ring, clock, context.wallClockMs(), context.warnings());
    this.notifier = new FailureNotifier(settings.appender(), ledger, listeners, context.warnings());
    this.inLogDrops = ledger.dropsInLog();
    OutputHealth health = new OutputHealth(sink.name(), context.wallClockMs());
    notifier.watchForeign(health);
    CallerEncoding callerEncoding = new CallerEncoding(sink.callerEncoder(), context.warnings());
    this.flusher = new Flusher(ring, holes, sink, ledger, health, dropReporter(), callerEncoding);
    CallTurns turns = new CallTurns(ring, flusher, sink, ledger, clock, context.warnings());
    this.flusherThread =
        new AgentThread(
            turns,
            park == null ? flusher : park,
            names.of("flusher"),
            clock,
            t -> context.warnings().accept("The flusher failed", t),
            false);
    this.admission =
        new Admission(settings, ring, flusher, flusherThread, callerEncoding, turns, ledger, clock);
    this.reporter =
        new Reporter(
            notifier,
            settings.reportIntervalNs(),
            outposts,
            context,
            flusherThread,
            names.of("reporter"));
  }

  /** Reports failures of the outputs added to it, before or after start. */
  public FailureNotifier failures() {
    return notifier;
  }

  private DropReporter dropReporter() {
    return new DropReporter(
        inLogDrops,
        context.loggerContext(),
        clock,
        context.wallClockMs(),
        settings.reportIntervalNs(),
        sink.failureReason());
  }

  /** Starts the threads. */
  public void start() {
    LogCallWarmup.run();
    ledger.addIntake(ring);
    Runnable wake = flusherThread::wakeIfAsleep;
    ledger.onDrop(wake);
    notifier.onNews(wake);
    flusherThread.start();
    reporter.start();
    ShutdownDrain.add(this);
  }

  /** Causes a turn of the flusher: what the sink waited for is there. Any thread. */
  public void wakeFlusher() {
    flusherThread.wake();
  }

  /** Accepts one event, or counts why not. The caller's thread. */
  void offer(ILoggingEvent event) {
    admission.offer(event, AppendGate.newCaller());
  }

  /** The callers' side, for log calls. */
  Admission admission() {
    return admission;
  }

  /**
   * Waits until all events offered before the call have reached their destination. Not for threads
   * that log.
   *
   * @param timeoutNs longest wait, nanoseconds
   * @return whether they have; returns at once after {@link #stop}
   */
  public boolean flush(long timeoutNs) {
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long target = ring.accepted();
    Patience.await(
        () -> {
          boolean isOver = flusher.flushed() >= target || ended;
          if (!isOver) {
            flusherThread.wake();
          }
          return isOver;
        },
        timeoutNs,
        clock);
    boolean reached = flusher.flushed() >= target;
    return reached && sink.flush(Math.max(0, deadlineNs - clock.nanoTime()));
  }

  /**
   * Unregisters the appender from JMX, as the first step of a stop: the JDK and its notification
   * listeners may log then, and these events can still be delivered.
   */
  public void unregisterFromJmx() {
    long startNs = clock.nanoTime();
    reporter.leave(REPORTER_STOP_NS);
    reporterStopNs = Math.max(0, REPORTER_STOP_NS - (clock.nanoTime() - startNs));
  }

  /**
   * Ends this pipeline: refuses further events, drains the ring, stops the sink and the threads.
   * Takes at most {@code maxFlushTime} and a quarter of a second. An interrupt does not shorten it;
   * the interrupt flag stays set. Events still in the ring after that count as abandoned.
   *
   * @return whether the ring was drained in time
   */
  public boolean stop() {
    long deadlineNs = clock.nanoTime() + settings.maxFlushNs();
    refuse();
    sink.prepareForStop();
    flusherThread.requestStop();
    boolean drained = flusherThread.join(settings.maxFlushNs());
    if (!drained) {
      flusher.cancel();
    }
    holes.writeOff();
    sink.stop(Math.max(0, deadlineNs - clock.nanoTime()));
    ended = true;
    reporter.close(reporterStopNs);
    ShutdownDrain.remove(this); // last: the JVM may exit while a background thread runs this stop
    return drained;
  }

  /**
   * Refuses further events: the first step of a stop that another thread completes. Never waits.
   */
  public void refuse() {
    admission.close();
  }

  /**
   * Called by the shutdown hook. Makes every event urgent, since the next poll may come too late,
   * and requests the last reports of drops, since the next interval will not come.
   */
  void prepareForShutdown() {
    reporter.endWithJvm();
    sink.prepareForShutdown();
    admission.treatAllAsUrgent();
    requestReports();
  }

  /** In the log and to the listeners, whatever the interval. */
  private void requestReports() {
    flusher.requestReport();
    flusherThread.wake();
    reporter.requestReport();
  }

  /**
   * Whether all drops so far are reported, in the log and to the listeners. Requests reports again
   * if there are new ones. Called by the shutdown hook.
   */
  boolean hasReportedDrops() {
    boolean news = inLogDrops.pending() > 0;
    boolean newsToListeners = !notifier.hasReportedDrops();
    boolean made = flusher.hasMadeReports();
    boolean madeToListeners = reporter.hasMadeReports();
    if ((news && made) || (newsToListeners && madeToListeners)) {
      requestReports();
    }
    return !news && made && !newsToListeners && madeToListeners;
  }

  /** How many of the first {@code accepted} events would end with the process now. */
  long undelivered(long accepted) {
    return accepted - flusher.flushed() + sink.heldInHeap();
  }

  /** Warns of events that end with the process. Called by the shutdown hook. */
  void warnOfUndelivered() {
    long undelivered = undelivered(ring.accepted());
    LedgerSnapshot account = ledger.snapshot(); // some may have been delivered since
    long events = Math.min(undelivered, account.inFlight());
    if (events > 0) {
      warn(undeliveredText(events, account));
    }
  }

  private String undeliveredText(long events, LedgerSnapshot account) {
    return "%d %s not delivered within <maxFlushTime> (%d ms) and %s lost when the process ends: %s"
        .formatted(
            events,
            events == 1 ? "event was" : "events were",
            TimeUnit.NANOSECONDS.toMillis(settings.maxFlushNs()),
            events == 1 ? "is" : "are",
            account);
  }

  private void warn(String text) {
    if (StandardError.isNeededFor(context.loggerContext())) {
      StandardError.print("Appender [" + settings.appender() + "]: " + text);
    }
    context.warnings().accept(text, null);
  }

  long maxFlushNs() {
    return settings.maxFlushNs();
  }

  EventSink sink() {
    return sink;
  }

  /** Events accepted so far. */
  long accepted() {
    return ring.accepted();
  }

  EventRing ring() {
    return ring;
  }

  /** As {@link AppenderMXBean#getTurnsByEvents}. */
  long[] turnsByEvents() {
    return flusher.turnsByEvents();
  }
}
