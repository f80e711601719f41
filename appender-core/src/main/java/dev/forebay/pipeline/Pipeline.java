package dev.forebay.pipeline;

import dev.forebay.agent.AgentThread;
import dev.forebay.agent.ParkPolicy;
import dev.forebay.agent.TimeLimit;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One start of an appender: a ring, its flusher and its reporter, from {@link #start} to {@link
 * #stop}. Not restartable; the next start creates another one.
 */
public final class Pipeline {

  /** Limit of each of the reporter's two parts of a stop: a listener may block. */
  private static final long REPORTER_STOP_NS = 125_000_000;

  final PipelineSettings settings;
  final EventSink sink;
  final EventRing ring;
  final Admission admission;
  private final Ledger ledger;
  private final PipelineContext context;
  private final HoleWatch holes;
  private final Flusher flusher;
  private final DropReporter dropReporter;
  private final AgentThread flusherThread;
  private final Reporter reporter;
  private final FailureNotifier notifier;

  /** Set at the end of stop(): nothing is delivered after that. */
  private volatile boolean ended;

  /**
   * @param endpoints makes the {@link ControlEndpoint}, some time after the start
   * @param park how long the flusher's thread parks, for a sink whose source cannot wake it; null:
   *     as events come
   */
  public Pipeline(
      PipelineSettings settings,
      EventSink sink,
      Ledger ledger,
      List<FailureListener> listeners,
      Supplier<? extends ControlEndpoint> endpoints,
      PipelineContext context,
      @Nullable ParkPolicy park) {
    this.settings = settings;
    this.sink = sink;
    this.ledger = ledger;
    this.context = context;
    this.ring = new EventRing(settings.ringCapacity(), settings.ringBytes(), ledger);
    this.holes = new HoleWatch(ring, context);
    this.notifier = new FailureNotifier(settings.appender(), ledger, listeners, context.voice());
    this.dropReporter =
        new DropReporter(ledger, context, settings.reportIntervalNs(), sink.failureReason());
    this.flusher = new Flusher(ring, holes, sink, ledger, dropReporter);
    notifier.watchForeign(flusher.health);
    ParkPolicy parks = park == null ? flusher : park;
    CallTurns turns =
        new CallTurns(ring, flusher, sink, ledger, context, parks, settings.threadName("flusher"));
    this.flusherThread = turns.thread;
    this.admission =
        settings.limits().isEmpty()
            ? new Admission(settings, turns)
            : LimitedAdmission.of(settings, turns);
    this.reporter =
        new Reporter(
            notifier,
            settings.reportIntervalNs(),
            endpoints,
            context,
            flusherThread,
            settings.threadName("reporter"));
  }

  /** Reports failures of the outputs added to it, before or after start. */
  public FailureNotifier failures() {
    return notifier;
  }

  public void start() {
    LogCallWarmup.run();
    ledger.addIntake(ring);
    ledger.onNews(flusherThread);
    flusherThread.start();
    reporter.start();
    ShutdownDrain.add(this);
  }

  /** Causes a turn of the flusher: what the sink waited for is there. Any thread. */
  public void wakeFlusher() {
    flusherThread.wake();
  }

  /**
   * Waits until all events offered before the call have reached their destination. Not for threads
   * that log.
   *
   * @return whether they have; returns at once after {@link #stop}
   */
  public boolean flush(TimeLimit limit) {
    long target = ring.accepted();
    boolean unused =
        limit.await(
            () -> {
              boolean isOver = flusher.flushed() >= target || ended;
              if (!isOver) {
                flusherThread.wake();
              }
              return isOver;
            });
    boolean reached = flusher.flushed() >= target;
    return reached && sink.flush(limit);
  }

  /**
   * Unregisters the appender from JMX, as the first step of a stop: the JDK and its notification
   * listeners may log then, and these events can still be delivered.
   */
  public void unregisterFromJmx() {
    reporter.leave(REPORTER_STOP_NS);
  }

  /**
   * Ends this pipeline: refuses further events, drains the ring, stops the sink and the threads.
   * Takes at most {@code maxFlushTime} and a quarter of a second. An interrupt does not shorten it;
   * the interrupt flag stays set. Events still in the ring after that count as abandoned.
   *
   * @return whether the ring was drained in time
   */
  public boolean stop() {
    TimeLimit limit = new TimeLimit(context.clock(), settings.maxFlushNs());
    admission.close();
    sink.prepareForStop();
    flusherThread.requestStop();
    boolean drained = flusherThread.join(limit);
    if (!drained) {
      flusher.cancel();
    }
    holes.writeOff();
    sink.stop(Math.max(0, limit.leftNs()));
    ended = true;
    reporter.close(REPORTER_STOP_NS);
    ShutdownDrain.remove(this); // last: the JVM may exit while a background thread runs this stop
    return drained;
  }

  /**
   * Called by the shutdown hook. Makes every event urgent, since the next poll may come too late,
   * and requests the last reports of drops, since the next interval will not come.
   */
  void prepareForShutdown() {
    reporter.endWithJvm();
    sink.prepareForShutdown();
    admission.treatAllAsUrgent();
    requestReport();
    reporter.requestReport();
  }

  /** Requests a report in the log, regardless of the interval. */
  private void requestReport() {
    dropReporter.request();
    flusherThread.wake();
  }

  /**
   * Whether all drops so far are reported, in the log and to the listeners. Requests reports again
   * if there are new ones. Called by the shutdown hook.
   */
  boolean hasReportedDrops() {
    boolean isInLog = dropReporter.hasReportedDrops();
    if (!isInLog) {
      requestReport();
    }
    boolean isTold = reporter.hasReportedDrops();
    if (!isTold) {
      reporter.requestReport();
    }
    return isInLog && isTold;
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
    if (events <= 0) {
      return;
    }
    String text =
        "%d %s not delivered within <maxFlushTime> (%d ms) and %s lost when the process ends: %s"
            .formatted(
                events,
                events == 1 ? "event was" : "events were",
                TimeUnit.NANOSECONDS.toMillis(settings.maxFlushNs()),
                events == 1 ? "is" : "are",
                account);
    context.voice().lastResort(text);
    context.voice().warn(text);
  }

  /** Waits until the warnings are printed. Called by the shutdown hook. */
  void awaitWarnings(TimeLimit limit) {
    context.voice().await(limit);
  }
}
