package dev.forebay.pipeline;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.JmxRegistration;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.observe.OutputHealth;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One start of an appender: a ring, its flusher and its reporter, from {@link #start} to {@link
 * #stop}. Not restartable; the next start makes another.
 *
 * <p>Callers do not wake the flusher, since that costs them 50 to 150 times the call itself. It
 * polls. Only when the ring is filled past its high-water mark, or for an urgent event, one caller
 * wakes it, at most once a park.
 */
public final class Pipeline {

  /** Share of the ring that may fill before a caller wakes the flusher. */
  private static final int HIGH_WATER_DIVISOR = 4;

  private static final int EVENTS_PER_WAKE = 256;
  private static final long MAX_PARK_NS = 10_000_000;
  private static final long IDLE_PARK_NS = 50_000_000;

  /**
   * How long a caller that may wait parks between two tries, nanoseconds a slot: less than a
   * flusher at its fastest needs for it, so that the ring does not run empty meanwhile. Each park
   * costs 15 to 40 µs of a processor that the flusher may need.
   */
  private static final long WAIT_NS_PER_SLOT = 60;

  private static final long MIN_WAIT_STEP_NS = 100_000;
  private static final long MAX_WAIT_STEP_NS = 1_000_000;

  private static final long FLUSH_POLL_NS = 500_000;

  /** For the reporter's part of a stop, which must not wait for a listener that blocks. */
  private static final long REPORTER_STOP_NS = 250_000_000;

  private final PipelineSettings settings;
  private final EventSink sink;
  private final Ledger ledger;
  private final NanoClock clock;
  private final EventRing ring;
  private final int highWater;
  private final long waitStepNs;
  private final Flusher flusher;
  private final AgentThread flusherThread;
  private final Reporter reporter;
  private final AgentThread reporterThread;
  private final FailureNotifier notifier;
  private final LastReports lastReports;

  /** Written by stop(); read by every log call. */
  private volatile boolean closed;

  /** What is left of {@link #REPORTER_STOP_NS}. Used by the thread that stops the appender. */
  private long reporterStopNs = REPORTER_STOP_NS;

  /** Raised at the end of stop(): what has not reached its destination by now never will. */
  private volatile boolean ended;

  /** Lowered to TRACE when the JVM shuts down, so that the last events do not wait for a poll. */
  private volatile int urgentIndex;

  /**
   * @param settings validated
   * @param sink what stands behind the ring
   * @param ledger the appender's account
   * @param listeners told of failures
   * @param bean what JMX shows
   * @param surroundings context, clocks, warnings
   * @param names of the threads
   */
  public Pipeline(
      PipelineSettings settings,
      EventSink sink,
      Ledger ledger,
      List<FailureListener> listeners,
      AppenderMXBean bean,
      Surroundings surroundings,
      ThreadNames names) {
    this(
        settings,
        sink,
        ledger,
        listeners,
        bean,
        surroundings,
        names,
        new AdaptivePark(EVENTS_PER_WAKE, MAX_PARK_NS, IDLE_PARK_NS));
  }

  /** With a flusher that parks as a test likes it. */
  Pipeline(
      PipelineSettings settings,
      EventSink sink,
      Ledger ledger,
      List<FailureListener> listeners,
      AppenderMXBean bean,
      Surroundings surroundings,
      ThreadNames names,
      ParkPolicy flusherPark) {
    this.settings = settings;
    this.sink = sink;
    this.ledger = ledger;
    this.clock = surroundings.clock();
    this.urgentIndex = settings.urgentIndex();
    this.ring = new EventRing(settings.ringCapacity(), settings.ringBytes(), ledger);
    this.waitStepNs =
        Math.max(MIN_WAIT_STEP_NS, Math.min(MAX_WAIT_STEP_NS, WAIT_NS_PER_SLOT * ring.capacity()));
    this.highWater = Math.max(1, ring.capacity() / HIGH_WATER_DIVISOR);
    this.notifier =
        new FailureNotifier(settings.appender(), ledger, listeners, surroundings.warnings());
    DropCursor inLogDrops = ledger.cursor(DropCursor.Reader.IN_LOG);
    OutputHealth health = new OutputHealth(sink.name(), surroundings.wallClockMs());
    notifier.watchForeign(health);
    this.flusher =
        new Flusher(
            ring,
            sink,
            ledger,
            health,
            new DropReporter(
                inLogDrops,
                surroundings.context(),
                clock,
                surroundings.wallClockMs(),
                settings.reportIntervalNs(),
                sink.failureReason()),
            CallerDataCheck.of(settings, surroundings.warnings()));
    this.flusherThread =
        new AgentThread(
            flusher,
            flusherPark,
            names.of("flusher"),
            clock,
            t -> surroundings.warnings().accept("The flusher failed", t),
            false);
    this.reporter =
        new Reporter(
            notifier,
            settings.reportIntervalNs(),
            new JmxRegistration(
                String.valueOf(surroundings.context().getName()),
                settings.appender(),
                surroundings.warnings()),
            bean,
            surroundings);
    reporter.watch(flusherThread);
    long parkNs = Math.min(settings.reportIntervalNs(), Reporter.WATCH_NS);
    this.reporterThread =
        new AgentThread(
            reporter,
            (workDone, nowNs) -> parkNs,
            names.of("reporter"),
            clock,
            t -> surroundings.warnings().accept("The reporter failed", t),
            true);
    this.lastReports =
        new LastReports(flusher, flusherThread, inLogDrops, reporter, reporterThread, notifier);
  }

  /** Reports the failures of the outputs it is given, before or after start. */
  public FailureNotifier failures() {
    return notifier;
  }

  /** Has a carrying thread of the sink replaced when an Error ends it; before or after start. */
  public void watch(AgentThread thread) {
    reporter.watch(thread);
  }

  /** Starts the threads. */
  public void start() {
    ledger.addIntake(ring);
    flusherThread.start();
    reporterThread.start();
    ShutdownDrain.add(this);
  }

  /** Takes one event or counts why not; the caller's thread. */
  void offer(ILoggingEvent event) {
    if (closed) {
      ledger.drop(DropReason.STOPPED, event);
      return;
    }
    int level = Levels.indexOf(event);
    int limit = settings.fillLimits().of(level);
    if (ring.isFullTo(limit) && settings.appendTimeoutNs() == 0) {
      refuseUnprepared(level, limit, event);
      return;
    }
    event.prepareForDeferredProcessing();
    if (settings.includeCallerData()) {
      event.getCallerData();
    }
    long weightBytes = EventWeight.of(event);
    boolean taken =
        ring.offer(event, weightBytes, Math.min(limit, highWater))
            || offerAboveHighWater(event, weightBytes, limit);
    if (taken && level >= urgentIndex) {
      flusherThread.wake();
    }
    if (closed) { // stop() may have taken its last look at the ring before this event was in it
      ring.settleStragglers();
    }
  }

  /** Refuses an event before it has cost the caller more than its object. */
  private void refuseUnprepared(int level, int limit, ILoggingEvent event) {
    flusherThread.wakeIfParked();
    // Without its message the event is not fit to be shown as an example of the drops.
    ledger.drop(refusal(0, limit), level, 1, event.getTimeStamp());
  }

  /** Whether the event got in; otherwise it is counted as dropped. */
  private boolean offerAboveHighWater(ILoggingEvent event, long weightBytes, int limit) {
    flusherThread.wakeIfParked();
    if (ring.offer(event, weightBytes, limit)) {
      return true;
    }
    @Nullable DropReason reason =
        mayWait(weightBytes, limit)
            ? offerWaiting(event, weightBytes, limit)
            : refusal(weightBytes, limit);
    if (reason != null) {
      ring.noteRefusal();
      ledger.drop(reason, event);
    }
    return reason == null;
  }

  /** A level that is shed is not worth a caller's time. */
  private boolean mayWait(long weightBytes, int limit) {
    return settings.appendTimeoutNs() > 0
        && limit == ring.capacity()
        && !ring.canNeverHold(weightBytes);
  }

  private DropReason refusal(long weightBytes, int limit) {
    if (ring.lacksBytes(weightBytes)) {
      return DropReason.BYTES_FULL;
    }
    return limit < ring.capacity() && ring.size() < ring.capacity()
        ? DropReason.SHED
        : DropReason.RING_FULL;
  }

  /** Waits for room, as the user asked by appendTimeout. Null when the event got in. */
  private @Nullable DropReason offerWaiting(ILoggingEvent event, long weightBytes, int limit) {
    long deadlineNs = clock.nanoTime() + settings.appendTimeoutNs();
    while (true) {
      if (closed) {
        return DropReason.STOPPED;
      }
      boolean interrupted = Thread.currentThread().isInterrupted();
      boolean timedOut = clock.nanoTime() - deadlineNs >= 0;
      if (ring.offer(event, weightBytes, limit)) {
        return null;
      }
      if (interrupted) {
        return DropReason.INTERRUPTED;
      }
      if (timedOut) {
        return DropReason.TIMEOUT;
      }
      flusherThread.wakeIfParked();
      LockSupport.parkNanos(this, waitStepNs);
    }
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
    long target = ring.accepted();
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
  public void leaveJmx() {
    long startNs = clock.nanoTime();
    reporter.leaveJmx(reporterThread, REPORTER_STOP_NS);
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
      flusher.giveUp();
    }
    ring.abandon();
    sink.stop(Math.max(0, deadlineNs - clock.nanoTime()));
    ended = true;
    reporterThread.requestStop();
    reporterThread.join(reporterStopNs);
    ShutdownDrain.remove(this); // last: the JVM may end while a thread that nobody waits for stops
    return drained;
  }

  /** Refuses further events, as the first step of a stop that is made elsewhere. Never waits. */
  public void refuse() {
    closed = true;
  }

  /**
   * The JVM is shutting down: makes every event urgent, since the next poll may come too late, and
   * asks for the last reports of drops, since their next interval will not come. The shutdown hook.
   */
  void hurry() {
    urgentIndex = 0;
    lastReports.ask();
  }

  /** What the shutdown hook has to wait for. */
  LastReports lastReports() {
    return lastReports;
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
  public void awaitJmx(long timeoutNs) {
    reporter.awaitShown(timeoutNs);
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
