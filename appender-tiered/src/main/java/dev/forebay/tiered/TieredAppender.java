package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.PipelineOptions;
import dev.forebay.Statuses;
import dev.forebay.Stopper;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineContext;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.stream.StandardStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A log file whose log calls never wait for a disk: ring, spool on tmpfs, shipper and rolling
 * files. Replaces Logback's {@code RollingFileAppender} and {@code FileAppender}; {@code file},
 * {@code append}, {@code encoder}, {@code rollingPolicy}, {@code triggeringPolicy} and filters have
 * the same meaning.
 *
 * <p>Extends {@code FileAppender} only because Logback's rolling policies require one as their
 * parent; its writing code is not used. Configuring and starting are for one thread at a time;
 * everything else is thread-safe. It can be started again after a stop. {@link #snapshot} accounts
 * for every event.
 */
public class TieredAppender extends FileAppender<ILoggingEvent> implements TieredProperties {

  private static final long OPENING_NS = 1_000_000_000;

  /** How long a start waits at most for the spool and the log; tests may increase it. */
  long openingNs = OPENING_NS;

  private final PipelineOptions pipelineOptions = new PipelineOptions();
  private final TieredOptions tieredOptions = new TieredOptions();
  final Ledger ledger = new Ledger();
  final AppendGate gate = new AppendGate(ledger);
  final Statuses statuses = new Statuses(this);
  private final Stopper stopper = new Stopper(this, gate);
  final LogbackParts parts = new LogbackParts(this, tieredOptions);
  private final LogClaims claims = new LogClaims(parts, statuses);

  /** The newest start, assembled; written by start(); null before the first one. */
  volatile @Nullable TieredStart newest;

  public TieredAppender() {}

  /** A log of the JVM's lines, which takes no events. */
  @SuppressWarnings("exports") // for dev.forebay.jvm
  protected TieredAppender(JvmOptions jvm) {
    tieredOptions.jvm = jvm;
  }

  @Override
  public PipelineOptions pipelineOptions() {
    return pipelineOptions;
  }

  @Override
  public TieredOptions tieredOptions() {
    return tieredOptions;
  }

  /**
   * {@code true}: log calls encode their own events, on many threads at once, while half of the
   * ring is used and for {@code durability}; {@code always}: each does; {@code false}: none.
   * Default: true for {@code PatternLayoutEncoder} and {@code JsonEncoder} themselves (unless
   * stateful) and the encoders of logstash-logback-encoder, Spring Boot and Elastic, unless they
   * have foreign parts, such as conversion words.
   */
  public void setCallerEncoding(String callerEncoding) {
    tieredOptions.callerEncoding = callerEncoding;
  }

  /** Records all events for a while, and dumps them when something goes wrong. Default: none. */
  public void setFlightRecorder(FlightRecorderOptions options) {
    tieredOptions.flightRecorder = options;
  }

  /**
   * Asks the flight recorder for a dump, with the reason in its name; a line in the log names it
   * when it is complete. False if there is no recorder, or a dump is asked for already.
   */
  public boolean dump(@Nullable String reason) {
    TieredStart start = newest;
    return start != null && start.flight != null && start.flight.dump(reason);
  }

  /** As in {@code RollingFileAppender}; null if there is none. */
  public @Nullable RollingPolicy getRollingPolicy() {
    return parts.rollingPolicy;
  }

  /** Names, compression and retention of rolled files; as in {@code RollingFileAppender}. */
  public void setRollingPolicy(RollingPolicy policy) {
    parts.rollingPolicy = policy;
    if (policy instanceof TriggeringPolicy<?>) {
      @SuppressWarnings("unchecked") // Logback's policies take any event, and get none here
      TriggeringPolicy<ILoggingEvent> both = (TriggeringPolicy<ILoggingEvent>) policy;
      parts.triggeringPolicy = both;
    }
  }

  /**
   * Decides when to roll; as in {@code RollingFileAppender}, except that its event argument is
   * null: when it is asked, events have become bytes.
   */
  public void setTriggeringPolicy(TriggeringPolicy<ILoggingEvent> policy) {
    parts.triggeringPolicy = policy;
    if (policy instanceof RollingPolicy both) {
      parts.rollingPolicy = both;
    }
  }

  /** As {@link #setBufferSize}, accepted for configurations of Logback's file appenders. */
  @Override
  public void setImmediateFlush(boolean flush) {
    pipelineOptions.setWithoutMeaning(
        "immediateFlush",
        "every batch reaches the spool; <fsync> decides when it is forced to the disk");
  }

  @Override
  public void setBufferSize(FileSize size) {
    pipelineOptions.setWithoutMeaning("bufferSize", "see <ringBufferBytes> and <spoolSize>");
  }

  @Override
  public synchronized void start() {
    if (!isStarted()) {
      try {
        statuses.start(this::startHere);
      } finally {
        if (!isStarted()) {
          claims.release();
        }
      }
    }
  }

  /**
   * Makes starts not wait for the first opening of the log; a failure is reported soon after.
   *
   * @hidden
   */
  protected final void awaitNoOpening() {
    openingNs = 0;
  }

  private void startHere() {
    stopper.await();
    ConfigFindings findings = new ConfigFindings();
    parts.start(findings);
    if (parts.target() instanceof StandardStream stream && stream.isTerminal()) {
      pipelineOptions.treatAllAsUrgent();
    }
    findings.checkCallers(pipelineOptions, parts.words.asking());
    PipelineSettings ring = pipelineOptions.validate(String.valueOf(getName()), findings);
    TieredSettings settings =
        tieredOptions.validate(parts.identity(), getEncoder(), parts.words.foreign(), findings);
    parts.check(findings);
    findings.checkElements(getContext());
    findings.checkShutdownHook(getContext());
    findings.checkEvents(getContext(), pipelineOptions);
    boolean rolls = findings.hasErrors() || claims.claim(findings);
    Apart apart =
        tieredOptions.isApart(findings)
            ? Apart.of(tieredOptions, settings, parts, statuses, findings)
            : null;
    findings.reportTo(statuses);
    if (findings.hasErrors()) {
      return;
    }
    StartContext context =
        new StartContext(
            ring,
            settings,
            ledger,
            PipelineContext.loggerContext(getContext()),
            NioDisk.current(),
            NanoClock.SYSTEM,
            InstantSource.system(),
            statuses,
            apart);
    TieredStart start = new TieredStart(context, parts, rolls, gate, pipelineOptions.listeners());
    start.startShipper();
    try {
      start.pipeline.start();
      newest = start;
      started = true;
      gate.open(start.pipeline);
    } finally {
      if (!isStarted()) { // an Error has aborted the start: everything begun is undone
        start.pipeline.stop();
      }
    }
    // Briefly, so that Logback prints a failure with the configuration's statuses.
    boolean isLater = tieredOptions.destination != null || Stopper.isInLogCall();
    Exception failure = start.account.awaitOpening(isLater ? 0 : openingNs);
    if (failure != null) {
      start.account.error(failure);
    }
  }

  /**
   * Drains the ring and ships the spool within {@code maxFlushTime}, plus at most half a second to
   * commit, close and notify listeners. Records not in the log by then stay in the spool for the
   * next appender on the same file; events still in the ring count as {@code ABANDONED}. Safe to
   * call at any time, from any thread, and repeatedly.
   *
   * <p>Inside a log call, in which Logback's sifting appender stops appenders, it does not wait:
   * events are refused from then on, and another thread does the rest.
   */
  @Override
  public void stop() {
    stopper.stop(this::refuse);
  }

  /**
   * As {@link #stop} inside a log call, but once the log is open, or after a second: a successor
   * that opened it first would write before our events.
   *
   * @hidden
   */
  public final void stopElsewhere() {
    TieredStart stopped = newest;
    if (stopped != null) {
      stopped.account.awaitOpening(OPENING_NS);
    }
    stopper.stopElsewhere(this::refuse);
  }

  private Runnable refuse(Pipeline running) {
    claims.release();
    started = false;
    TieredStart stopped = newest;
    return () -> end(running, stopped);
  }

  private void end(Pipeline running, @Nullable TieredStart stopped) {
    boolean drained = running.stop();
    if (stopped != null) {
      stopped.end();
    }
    long left = stopped == null ? 0 : stopped.account.left();
    if (!drained) {
      statuses.warn("stop() timed out after <maxFlushTime>: " + snapshot(), null);
    } else if (stopped != null && !stopped.isShippedByOther()) {
      stopped.account.warnOfLeft(left);
    }
    statuses.stopped(drained && left == 0);
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

  /**
   * The account of all events since the appender was created, and the {@linkplain
   * LedgerSnapshot#durableUpTo watermark} of the newest start; 0 before the first one. Takes a lock
   * that no log call takes.
   */
  public LedgerSnapshot snapshot() {
    TieredStart start = newest;
    long watermark = start == null ? 0 : start.account.durableUpTo();
    return ledger.snapshot(OptionalLong.of(watermark));
  }

  /**
   * Waits until all events offered before the call are in the log, and durable unless fsync is
   * {@code never}. An interrupt does not end the wait; the interrupt flag stays set.
   *
   * @param timeout longest wait; 0 only checks
   * @return whether they are; false if the time is over or the appender was never started
   */
  public boolean flush(Duration timeout) {
    return gate.flush(timeout);
  }
}
