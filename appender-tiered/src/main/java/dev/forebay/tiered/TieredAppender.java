package dev.forebay.tiered;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.CallerPattern;
import dev.forebay.ConfigFindings;
import dev.forebay.LogCall;
import dev.forebay.PipelineOptions;
import dev.forebay.PipelineProperties;
import dev.forebay.ShutdownHookCheck;
import dev.forebay.Statuses;
import dev.forebay.Stopper;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.observe.Printable;
import dev.forebay.pipeline.AppendGate;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineSettings;
import dev.forebay.tiered.file.LogConfiguration;
import dev.forebay.tiered.flight.Flight;
import dev.forebay.tiered.jvm.JvmOptions;
import java.time.Duration;
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
public final class TieredAppender extends FileAppender<ILoggingEvent>
    implements PipelineProperties {

  /** How long a start waits at most for the spool and the log; tests may increase it. */
  long openingNs = 1_000_000_000;

  private final PipelineOptions pipelineOptions = new PipelineOptions();
  private final TieredOptions tieredOptions = new TieredOptions();
  private final Ledger ledger = new Ledger();
  private final AppendGate gate = new AppendGate(ledger);
  private final Statuses statuses = new Statuses(this);
  private final Stopper stopper = new Stopper(this, gate);
  private final LogClaims claims = new LogClaims(this);

  private @Nullable RollingPolicy rollingPolicy;
  private @Nullable TriggeringPolicy<ILoggingEvent> triggeringPolicy;

  /** Whether this start rolls the log; not if another appender creates the same archives. */
  private boolean rolls; // else both policies are null for this start

  /** Written by start(); null before the first one. */
  private volatile @Nullable Pipeline pipeline;

  /** The newest start's account; written by start(); null before the first one. */
  private volatile @Nullable ShippingMetrics account;

  /** The newest start's flight recorder; written by start(); null if it has none. */
  private volatile @Nullable Flight flight;

  /** With default settings. */
  public TieredAppender() {}

  /** A log of the JVM's lines, which takes no events. */
  @SuppressWarnings("exports") // for dev.forebay.jvm
  public TieredAppender(JvmOptions jvm) {
    tieredOptions.jvm = jvm;
  }

  @Override
  public PipelineOptions pipelineOptions() {
    return pipelineOptions;
  }

  /**
   * An existing directory for the spool, best on tmpfs; default {@code /dev/shm}. The spool has a
   * subdirectory of mode 0700. While it cannot be used or accepts no more data, the spool is in the
   * heap (a sixteenth of the maximum heap, 8 to 64 MB, never more than {@code spoolSize}), with one
   * WARN; a kill then takes it.
   */
  public void setSpoolDirectory(String directory) {
    tieredOptions.spoolDirectory = directory;
  }

  /**
   * Cap of the spool: one segment to 1 TB. Default: two segments or the rest of a budget that all
   * appenders share, also with spools of dead processes: 256 MB, but at most a quarter of the file
   * system and an eighth of the control group's memory limit.
   */
  public void setSpoolSize(FileSize size) {
    tieredOptions.spoolSize = size;
  }

  /** Size of one spool file, which limits the size of an event; 64 KB to 1 GB, default 4 MB. */
  public void setSegmentSize(FileSize size) {
    tieredOptions.segmentBytes = size.getSize();
  }

  /**
   * When the log is forced to the disk: {@code never}, {@code always} (after every batch) or an
   * interval from 1 millisecond to 1 hour; default {@code 1 second}. With an interval, the log is
   * forced only if there are new records; it is forced earlier after 8 MB, for a full spool, and in
   * {@code flush} and {@code stop}.
   */
  public void setFsync(String policy) {
    tieredOptions.fsync = policy;
  }

  /**
   * Whether log calls encode their own events, on many threads at once, while half of the ring is
   * used, and leave their processor to the flusher while all is. Default: true for encoders of
   * Logback (unless stateful), logstash-logback-encoder, Spring Boot and Elastic.
   */
  public void setCallerEncoding(boolean callerEncoding) {
    tieredOptions.callerEncoding = callerEncoding;
  }

  /**
   * Which log calls return only when their event is in the spool, where a kill of the process
   * leaves it: {@code ring} (default: none), {@code call} (all), a level such as {@code ERROR}
   * (from there up) or {@code marker:AUDIT} (those with that marker).
   */
  public void setDurability(String scope) {
    tieredOptions.durability = scope;
  }

  /**
   * How long such a call waits at most for other threads; 1 millisecond to 1 minute, default {@code
   * 100 ms}. A call that returns without is counted: {@link LedgerSnapshot#unconfirmed}.
   */
  public void setDurabilityTimeout(String time) {
    tieredOptions.durabilityTimeout = time;
  }

  /** Records all events for a while, and dumps them when something goes wrong. Default: none. */
  public void setFlightRecorder(FlightRecorderOptions options) {
    tieredOptions.flightRecorder = options;
  }

  /**
   * Asks the flight recorder for a dump, with the reason in its name; a line in the log names it
   * when it is complete. False if there is no recorder, or a dump is asked for already.
   */
  public boolean dump(String reason) {
    Flight recording = flight;
    return recording != null && recording.dump(reason);
  }

  /** Whether JMX, and the tool through a socket beside the spool, may steer it. Default: true. */
  public void setControl(boolean control) {
    tieredOptions.control = control;
  }

  /** Names, compression and retention of rolled files; as in {@code RollingFileAppender}. */
  public void setRollingPolicy(RollingPolicy policy) {
    rollingPolicy = policy;
    if (policy instanceof TriggeringPolicy<?>) {
      @SuppressWarnings("unchecked") // Logback's policies take any event, and get none here
      TriggeringPolicy<ILoggingEvent> both = (TriggeringPolicy<ILoggingEvent>) policy;
      triggeringPolicy = both;
    }
  }

  /**
   * Decides when to roll; as in {@code RollingFileAppender}, except that its event argument is
   * null: when it is asked, events have become bytes.
   */
  public void setTriggeringPolicy(TriggeringPolicy<ILoggingEvent> policy) {
    triggeringPolicy = policy;
    if (policy instanceof RollingPolicy both) {
      rollingPolicy = both;
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

  private void startHere() {
    stopper.await();
    ConfigFindings findings = new ConfigFindings();
    LogbackParts.start(rollingPolicy, triggeringPolicy, getEncoder(), findings);
    CallerPattern.look(pipelineOptions, getEncoder(), findings);
    PipelineSettings ring = pipelineOptions.validate(String.valueOf(getName()), findings);
    TieredSettings settings =
        tieredOptions.validate(LogbackParts.identity(rawFileProperty(), rollingPolicy), findings);
    LogbackParts.report(
        LogConfiguration.problems(
            rawFileProperty(), append, isPrudent(), rollingPolicy, triggeringPolicy, context),
        findings);
    ShutdownHookCheck.look(getContext(), findings);
    rolls = findings.hasErrors() || claims.claim(rollingPolicy, findings);
    findings.reportTo(this, ring.appender());
    if (findings.hasErrors()) {
      return;
    }
    TieredAssembly assembly =
        new TieredAssembly(new StartContext(this, ring, settings, ledger, gate));
    account = assembly.account();
    startPipeline(assembly);
    flight = assembly.flight();
    awaitOpening(assembly.account());
  }

  /** If an Error or foreign code aborts the start, everything begun is undone. */
  private Pipeline startPipeline(TieredAssembly assembly) {
    Pipeline fresh = null;
    try {
      fresh = assembly.assemble();
      fresh.start();
      pipeline = fresh;
      started = true;
      gate.open(fresh);
      return fresh;
    } finally {
      if (!isStarted() && fresh != null) {
        fresh.stop();
      }
    }
  }

  /**
   * Waits briefly for the first opening of the log, but not in a log call, so that Logback prints a
   * failure with the configuration's statuses. A status listener that ends the application at an
   * ERROR may throw here, as from the start of Logback's own appender. Otherwise it is retried.
   */
  private void awaitOpening(ShippingMetrics account) {
    long momentNs = LogCall.isOnThisThread() ? 0 : openingNs;
    Exception failure = account.opening().await(NanoClock.SYSTEM, momentNs);
    if (failure == null) {
      return;
    }
    boolean isReported = false;
    try {
      addError(
          Printable.text("Appender [" + getName() + "]: " + account.cannotWrite(failure)), failure);
      isReported = true;
    } finally {
      if (!isReported) {
        stop(); // the caller cannot use an appender whose start has thrown
      }
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
    stopper.stop(
        running -> {
          claims.release();
          started = false;
          ShippingMetrics ofStart = account;
          return () -> end(running, ofStart);
        });
  }

  private void end(Pipeline running, @Nullable ShippingMetrics ofStart) {
    boolean drained = running.stop();
    long left = ofStart == null ? 0 : ofStart.left();
    if (!drained) {
      statuses.warn("stop() timed out after <maxFlushTime>: " + snapshot(), null);
    } else if (left > 0) {
      statuses.warn(left + " events are left in the spool for the next start: " + snapshot(), null);
    }
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
    ShippingMetrics ofStart = account;
    long watermark = ofStart == null ? 0 : ofStart.durableUpTo();
    return ledger.snapshot().withDurableUpTo(watermark);
  }

  /**
   * Waits until all events offered before the call are in the log, and durable unless fsync is
   * {@code never}. An interrupt does not end the wait; the interrupt flag stays set.
   *
   * @param timeout longest wait; 0 only checks
   * @return whether they are; false if the time is over or the appender was never started
   */
  public boolean flush(Duration timeout) {
    Pipeline running = pipeline;
    return running != null && running.flush(timeout.toNanos());
  }

  @Nullable Pipeline pipeline() {
    return pipeline;
  }

  LoggerContext loggerContext() {
    return getContext() instanceof LoggerContext classic ? classic : new LoggerContext();
  }

  boolean keepsExistingFile() {
    return append;
  }

  @Nullable RollingPolicy rollingPolicy() {
    return rolls ? rollingPolicy : null;
  }

  @Nullable TriggeringPolicy<ILoggingEvent> triggeringPolicy() {
    return rolls ? triggeringPolicy : null;
  }

  Statuses statuses() {
    return statuses;
  }
}
