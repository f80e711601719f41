package dev.forebay.tiered;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextVO;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.CallDurability;
import dev.forebay.pipeline.EventSink;
import dev.forebay.pipeline.OwnEvent;
import dev.forebay.tiered.flight.FlightRecorder;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records every event, and passes those at or above the recorder's level on to the spool, with the
 * same bytes. While the spool is full it still takes events, so that recording goes on: those for
 * the spool wait in a {@link Backlog}.
 *
 * <p>Fields belong to the flusher's thread, or to a log call in its turn.
 */
final class FlightSink implements EventSink {

  private static final long FLUSH_POLL_NS = 1_000_000;

  private final SpoolSink spool;
  private final Encoder<ILoggingEvent> encoder;
  private final FlightRecorder recorder;

  /** How long a stop waits for dumps, nanoseconds. */
  private final long dumpsNs;

  private final Backlog backlog;
  private final Ledger ledger;
  private final LoggerContextVO context;
  private final NanoClock clock;
  private final LongSupplier wallClockMs;

  /**
   * When a stop leaves dumps to the next start. Written by the stopping thread, before its wish.
   */
  private volatile long dumpsUntilNs;

  /** Whether the spool takes no more in this turn: asking it costs a system call each time. */
  private boolean isBlocked;

  FlightSink(
      StartContext start,
      SpoolSink spool,
      Encoder<ILoggingEvent> encoder,
      FlightRecorder recorder) {
    this.spool = spool;
    this.encoder = encoder;
    this.recorder = recorder;
    this.dumpsNs = start.ring().maxFlushNs() / 2; // the shipper has the rest
    this.backlog = new Backlog(start.ring().ringBytes());
    this.ledger = start.ledger();
    this.context = start.appender().loggerContext().getLoggerContextRemoteView();
    this.clock = start.clock();
    this.wallClockMs = start.wallClockMs();
  }

  @Override
  public String name() {
    return spool.name();
  }

  @Override
  public DropReason failureReason() {
    return spool.failureReason();
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    spool.beginTurn(eventsWait);
    isBlocked = false;
    recorder.beginTurn(clock.nanoTime(), eventsWait);
    if (recorder.hasNote() && isReadyForReport()) {
      addNote(recorder.takeNote());
    }
  }

  /** A line of our own goes to the log whatever its level, and is not recorded. */
  private void addNote(String text) {
    ILoggingEvent note = OwnEvent.of(Level.INFO, text, context, wallClockMs.getAsLong());
    ledger.addReport();
    try {
      spool.accept(note);
    } catch (IOException | RuntimeException e) { // foreign code, or the spool was just lost
      ledger.drop(failureReason(), note);
    }
    spool.endOfBatch(); // there may be no other batch in this turn
  }

  @Override
  public boolean isReady() {
    if (!isBlocked) {
      isBlocked = !passOn();
    }
    return !isBlocked || recorder.isOpen();
  }

  /** Moves the backlog to the spool; false if that takes no more. */
  private boolean passOn() {
    boolean isReady = spool.isReady();
    while (isReady && !backlog.isEmpty()) {
      Backlog.Entry next = Objects.requireNonNull(backlog.poll());
      toSpool(next.event, next.bytes);
      isReady = spool.isReady();
    }
    if (backlog.isUnsettled()) {
      spool.endOfBatch(); // there may be no other batch in this turn
      backlog.settle(); // then flush() asks the spool for them
    }
    return isReady;
  }

  private void toSpool(ILoggingEvent event, byte[] bytes) {
    try {
      spool.acceptEncoded(event, bytes);
    } catch (IOException e) { // the spool was lost since it was ready
      ledger.drop(failureReason(), event);
    }
  }

  @Override
  public @Nullable Encoder<ILoggingEvent> callerEncoder() {
    return spool.callerEncoder();
  }

  @Override
  public @Nullable CallDurability durability() {
    return spool.durability();
  }

  @Override
  public boolean isReadyForCall() {
    return !isBlocked && backlog.isEmpty() && recorder.isReadyForCall() && spool.isReadyForCall();
  }

  @Override
  public boolean writeForCall() {
    boolean isRecorded = recorder.writeForCall();
    return backlog.isEmpty() && spool.writeForCall() && isRecorded;
  }

  @Override
  public boolean survivesKill() {
    return spool.survivesKill() && backlog.size() == 0;
  }

  @Override
  public void accept(ILoggingEvent event) throws IOException {
    acceptEncoded(event, encoder.encode(event));
  }

  @Override
  public void acceptEncoded(ILoggingEvent event, byte @Nullable [] bytes) throws IOException {
    if (bytes == null || bytes.length == 0) {
      ledger.deliver(1); // the encoder writes nothing for this event
      return;
    }
    recorder.record(event, bytes);
    int level = Levels.indexOf(event);
    if (!recorder.isForLog(level)) {
      return;
    }
    if (!isBlocked) { // then the backlog is empty
      spool.acceptEncoded(event, bytes);
    } else if (!backlog.add(event, bytes, level)) {
      ledger.drop(DropReason.SPOOL_FULL, event);
    }
  }

  /** Reports of drops go to the log, even if their level is only recorded. */
  @Override
  public boolean acceptReport(ILoggingEvent report) throws IOException {
    spool.accept(report);
    return true;
  }

  @Override
  public boolean isSettled() {
    return backlog.isEmpty() && spool.isSettled() && recorder.isSettled();
  }

  @Override
  public boolean isReadyForReport() {
    return isReady() && !isBlocked;
  }

  @Override
  public boolean holdsBack() {
    return !backlog.isEmpty() || (recorder.owesDumps() && clock.nanoTime() - dumpsUntilNs < 0);
  }

  @Override
  public void prepareForStop() {
    dumpsUntilNs = clock.nanoTime() + dumpsNs;
    recorder.prepareForEnd();
  }

  @Override
  public void endWithJvm() {
    recorder.endWithJvm();
  }

  @Override
  public void endOfBatch() {
    recorder.endOfBatch();
    spool.endOfBatch();
  }

  @Override
  public boolean flush(long timeoutNs) {
    long deadlineNs = clock.nanoTime() + timeoutNs;
    boolean interrupted = false;
    while ((backlog.size() > 0 || recorder.owesDumps()) && clock.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(this, FLUSH_POLL_NS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return backlog.size() == 0 && spool.flush(Math.max(0, deadlineNs - clock.nanoTime()));
  }

  @Override
  public void prepareForShutdown() {
    spool.prepareForShutdown();
    recorder.prepareForEnd();
  }

  @Override
  public String degraded() {
    String ofSpool = spool.degraded();
    if (recorder.isOpen()) {
      return ofSpool;
    }
    String ofRecorder = "the flight recorder has no place to record: see <spoolDirectory>";
    return ofSpool.isEmpty() ? ofRecorder : ofSpool + "; " + ofRecorder;
  }

  @Override
  public long heldInHeap() {
    return spool.heldInHeap() + backlog.size();
  }

  @Override
  public void close() {
    passOn();
    for (Backlog.Entry left = backlog.poll(); left != null; left = backlog.poll()) {
      ledger.drop(DropReason.ABANDONED, left.event);
    }
    backlog.settle();
    recorder.close();
    spool.close();
  }

  @Override
  public void stop(long timeoutNs) {
    spool.stop(timeoutNs);
  }
}
