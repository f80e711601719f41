package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.JmxRegistration;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.OutputHealth;
import dev.forebay.observe.StandardError;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * One start of an appender: a ring, its flusher and its reporter, from {@link #start} to {@link
 * #stop}. Not restartable; the next start makes another.
 */
public final class Pipeline {

  private static final int EVENTS_PER_WAKE = 256;
  private static final long MAX_PARK_NS = 10_000_000;
  private static final long IDLE_PARK_NS = 50_000_000;

  private static final long FLUSH_POLL_NS = 500_000;

  /** For the reporter's part of a stop, which must not wait for a listener that blocks. */
  private static final long REPORTER_STOP_NS = 250_000_000;

  /** How long the end of the JVM waits for its last warning to be read. */
  private static final long LAST_WARNING_MS = 250;

  /** Looks at an abandoned ring for events whose callers are just about to put them there. */
  private static final int LAST_LOOKS = 50;

  private static final long LAST_LOOK_NS = 200_000;

  private final PipelineSettings settings;
  private final EventSink sink;
  private final Ledger ledger;
  private final PipelineContext context;
  private final NanoClock clock;
  private final ReplaceableRing rings;
  private final Admission admission;
  private final Flusher flusher;
  private final AgentThread flusherThread;
  private final Reporter reporter;
  private final AgentThread reporterThread;
  private final FailureNotifier notifier;
  private final FinalReports finalReports;

  /** What is left of {@link #REPORTER_STOP_NS}. Used by the thread that stops the appender. */
  private long reporterStopNs = REPORTER_STOP_NS;

  /** Raised at the end of stop(): what has not reached its destination by now never will. */
  private volatile boolean ended;

  /**
   * @param settings validated
   * @param sink what stands behind the ring
   * @param ledger the appender's account
   * @param listeners told of failures
   * @param bean what JMX shows
   * @param context context, clocks, warnings
   * @param names of the threads
   */
  public Pipeline(
      PipelineSettings settings,
      EventSink sink,
      Ledger ledger,
      List<FailureListener> listeners,
      AppenderMXBean bean,
      PipelineContext context,
      ThreadNames names) {
    this(
        settings,
        sink,
        ledger,
        listeners,
        bean,
        context,
        names,
        flusher ->
            stalledAtMost(
                MAX_PARK_NS,
                flusher,
                new AdaptivePark(EVENTS_PER_WAKE, MAX_PARK_NS, IDLE_PARK_NS)));
  }

  /** Nobody wakes a flusher that is held up, so it does not park as if there were nothing to do. */
  private static ParkPolicy stalledAtMost(long limitNs, Flusher flusher, ParkPolicy policy) {
    return (workDone, nowNs) -> {
      long parkNs = policy.parkNs(workDone, nowNs);
      return flusher.isStalled() ? Math.min(parkNs, limitNs) : parkNs;
    };
  }

  /** With a flusher that parks as a test likes it. */
  Pipeline(
      PipelineSettings settings,
      EventSink sink,
      Ledger ledger,
      List<FailureListener> listeners,
      AppenderMXBean bean,
      PipelineContext context,
      ThreadNames names,
      Function<Flusher, ParkPolicy> flusherPark) {
    this.settings = settings;
    this.sink = sink;
    this.ledger = ledger;
    this.context = context;
    this.clock = context.clock();
    this.rings = rings(settings, ledger, context);
    this.notifier = new FailureNotifier(settings.appender(), ledger, listeners, context.warnings());
    DropCursor inLogDrops = ledger.cursor(DropCursor.Reader.IN_LOG);
    OutputHealth health = new OutputHealth(sink.name(), context.wallClockMs());
    notifier.watchForeign(health);
    this.flusher =
        new Flusher(
            rings,
            sink,
            ledger,
            health,
            new DropReporter(
                inLogDrops,
                context.loggerContext(),
                clock,
                context.wallClockMs(),
                settings.reportIntervalNs(),
                sink.failureReason()),
            CallerDataCheck.of(settings, context.warnings()));
    this.flusherThread =
        new AgentThread(
            flusher,
            flusherPark.apply(flusher),
            names.of("flusher"),
            clock,
            t -> context.warnings().accept("The flusher failed", t),
            false);
    this.admission = new Admission(settings, rings, flusher, flusherThread, ledger, clock);
    this.reporter =
        new Reporter(
            notifier,
            settings.reportIntervalNs(),
            new JmxRegistration(
                String.valueOf(context.loggerContext().getName()),
                settings.appender(),
                context.warnings()),
            bean,
            context);
    reporter.watch(flusherThread);
    long parkNs = Math.min(settings.reportIntervalNs(), Reporter.WATCH_NS);
    this.reporterThread =
        new AgentThread(
            reporter,
            (workDone, nowNs) -> parkNs,
            names.of("reporter"),
            clock,
            t -> context.warnings().accept("The reporter failed", t),
            true);
    this.finalReports =
        new FinalReports(flusher, flusherThread, inLogDrops, reporter, reporterThread, notifier);
  }

  /** Reports the failures of the outputs it is given, before or after start. */
  public FailureNotifier failures() {
    return notifier;
  }

  /** Has a carrying thread of the sink replaced when an Error ends it; before or after start. */
  public void watch(AgentThread thread) {
    reporter.watch(thread);
  }

  private static ReplaceableRing rings(
      PipelineSettings settings, Ledger ledger, PipelineContext context) {
    return new ReplaceableRing(
        () -> new EventRing(settings.ringCapacity(), settings.ringBytes(), ledger),
        ledger,
        context.clock(),
        context.wallClockMs(),
        context.warnings());
  }

  /** Starts the threads. */
  public void start() {
    LogCallWarmup.run();
    rings.start();
    flusherThread.start();
    reporterThread.start();
    ShutdownDrain.add(this);
  }

  /** Takes one event or counts why not; the caller's thread. */
  void offer(ILoggingEvent event) {
    admission.offer(event, CallerState.create());
  }

  /** What log calls use. */
  Admission admission() {
    return admission;
  }

  /**
   * Waits until all events offered before the call have reached their destination. Not for threads
   * that log.
   *
   * @param timeoutNs at most this long, nanoseconds
   * @return whether they have; at once when {@link #stop} has ended
   */
  public boolean flush(long timeoutNs) {
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long target = rings.accepted();
    boolean interrupted = false;
    boolean reached = flusher.flushed() >= target;
    while (!reached && !ended && clock.nanoTime() - deadlineNs < 0) {
      flusherThread.wake();
      LockSupport.parkNanos(this, FLUSH_POLL_NS);
      interrupted |= Thread.interrupted();
      reached = flusher.flushed() >= target;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return reached && sink.flush(Math.max(0, deadlineNs - clock.nanoTime()));
  }

  /**
   * Takes the appender out of JMX, as the first step of a stop: the JDK logs when a bean is
   * removed, and whoever is told of it may. By then these events can still be delivered.
   */
  public void unregisterFromJmx() {
    long startNs = clock.nanoTime();
    reporter.unregisterFromJmx(reporterThread, REPORTER_STOP_NS);
    reporterStopNs = Math.max(0, REPORTER_STOP_NS - (clock.nanoTime() - startNs));
  }

  /**
   * Ends this pipeline: refuses further events, drains the ring, stops the sink and the threads.
   * Bounded by {@code maxFlushTime} and a quarter of a second; an interrupt of the caller neither
   * shortens it nor is lost. What is left in the ring after that is counted as abandoned.
   *
   * @return whether the ring was drained in time
   */
  public boolean stop() {
    long deadlineNs = clock.nanoTime() + settings.maxFlushNs();
    refuse();
    flusherThread.requestStop();
    boolean drained = flusherThread.join(settings.maxFlushNs());
    if (!drained) {
      flusher.cancel();
    }
    abandonRing();
    sink.stop(Math.max(0, deadlineNs - clock.nanoTime()));
    ended = true;
    reporterThread.requestStop();
    reporterThread.join(reporterStopNs);
    ShutdownDrain.remove(this); // last: the JVM may end while a thread that nobody waits for stops
    return drained;
  }

  /**
   * A call that has taken a slot and not yet filled it gets a moment: its event is then counted by
   * its level. What has not come by then never will, or was counted before it comes.
   */
  private void abandonRing() {
    rings.abandon();
    for (int look = 0; look < LAST_LOOKS && rings.fill() > 0; look++) {
      LockSupport.parkNanos(this, LAST_LOOK_NS);
      rings.abandon();
    }
    rings.writeOff();
  }

  /** Refuses further events, as the first step of a stop that is made elsewhere. Never waits. */
  public void refuse() {
    admission.close();
  }

  /**
   * The JVM is shutting down: makes every event urgent, since the next poll may come too late, and
   * asks for the last reports of drops, since their next interval will not come. The shutdown hook.
   */
  void prepareForShutdown() {
    admission.treatAllAsUrgent();
    finalReports.ask();
  }

  /** What the shutdown hook has to wait for. */
  FinalReports finalReports() {
    return finalReports;
  }

  /**
   * Warns of events that end with the process. The shutdown hook, which must not wait long for
   * whoever reads the warning.
   */
  void warnOfUndelivered() {
    long flushed = flusher.flushed();
    long undelivered = rings.accepted() - flushed + sink.heldInHeap();
    if (undelivered <= 0) {
      return;
    }
    Thread speaker =
        new Thread(
            () -> warn(undeliveredText(undelivered)), "forebay-shutdown-" + settings.appender());
    speaker.setDaemon(true);
    speaker.start();
    try {
      speaker.join(LAST_WARNING_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String undeliveredText(long events) {
    return "%d %s not delivered within <maxFlushTime> (%d ms) and %s lost when the process ends: %s"
        .formatted(
            events,
            events == 1 ? "event was" : "events were",
            TimeUnit.NANOSECONDS.toMillis(settings.maxFlushNs()),
            events == 1 ? "is" : "are",
            ledger.snapshot());
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

  NanoClock clock() {
    return clock;
  }

  EventSink sink() {
    return sink;
  }

  /**
   * Waits until JMX shows the appender: a short program looks right after its start. Not for
   * threads inside a log call.
   *
   * @param timeoutNs at most this long, since whoever is told of it may hang
   */
  public void awaitJmxRegistration(long timeoutNs) {
    reporter.awaitRegistered(timeoutNs);
  }

  /** Events accepted so far. */
  long accepted() {
    return rings.accepted();
  }

  EventRing ring() {
    return rings.current();
  }

  /** As {@link AppenderMXBean#getTurnsByEvents}. */
  long[] turnsByEvents() {
    return flusher.turnsByEvents();
  }
}
