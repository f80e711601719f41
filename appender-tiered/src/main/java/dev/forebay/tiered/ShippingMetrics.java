package dev.forebay.tiered;

import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.observe.OutputHealth;
import dev.forebay.tiered.disk.UnreadableException;
import dev.forebay.tiered.file.LogWatch;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.spool.Voice;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Enters what becomes of spooled records into the appender's ledger, and tells when the log or the
 * spool starts and stops failing. Written by the shipper's thread; the methods for the spool by the
 * flusher's.
 */
final class ShippingMetrics implements ShippingListener, LogWatch {

  private final StartContext start;
  private final Ledger ledger;
  private final OutputHealth log;
  private final OutputHealth spool;
  private final OutputHealth reading;
  private final String logName;
  private final boolean forces;
  private final LongSupplier wallClockMs;
  private final Voice voice;
  private final FirstOpening opening = new FirstOpening();

  // Shipper's thread only.
  private @Nullable Exception reported;
  private @Nullable LastResort lastResort;

  // Written by the shipper's thread; read by JMX and by threads that wait in flush.
  private volatile long committed;
  private volatile long lost;
  private volatile long durableUpTo;
  private volatile long recovered;

  /** Events that earlier starts left in spools. Who ships these is not known, so they stay. */
  private final long carried;

  ShippingMetrics(StartContext start) {
    this.start = start;
    this.ledger = start.ledger();
    this.wallClockMs = start.wallClockMs();
    this.voice = start.voice();
    this.logName = start.settings().logName().toString();
    this.forces = start.settings().fsync().forces();
    this.carried = ledger.snapshot().inFlight();
    this.log = new OutputHealth("the log " + logName, wallClockMs);
    this.spool = new OutputHealth("the spool", wallClockMs);
    this.reading = new OutputHealth("reading the spool", wallClockMs);
  }

  OutputHealth logHealth() {
    return log;
  }

  OutputHealth spoolHealth() {
    return spool;
  }

  /** Written by the shipper's thread; the spool's health is written by the flusher's. */
  OutputHealth readHealth() {
    return reading;
  }

  /** The ledger first, then the watermark; those who wait in flush may go on last. */
  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void settled(long records, long gone, long reached) {
    ledger.deliver(records);
    drop(gone);
    if (forces) {
      durableUpTo = reached;
    }
    committed += records;
    lost += gone;
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void lost(long records) {
    drop(records);
    lost += records;
  }

  /** The level of a lost record is unknown: it counts as the most important one. */
  private void drop(long records) {
    ledger.drop(DropReason.SPOOL_LOST, Levels.COUNT - 1, records, wallClockMs.getAsLong());
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void recovered(long records) {
    recovered += records;
  }

  /**
   * This start's events that are neither delivered nor dropped; once stopped, left in the spool.
   */
  long left() {
    return Math.max(0, ledger.snapshot().inFlight() - carried);
  }

  @Override
  public void warn(String text) {
    voice.warn(text, null);
  }

  @Override
  public void unreadable(Exception cause) {
    if (!reading.isFailing()) {
      voice.warn(cause.getMessage() + "; retrying", cause);
    }
    reading.failed(cause);
    opening.turnEnded();
  }

  @Override
  public void failed(Exception cause) {
    String text = cannotWrite(cause);
    if (!log.isFailing() && cause != reported) {
      voice.warn(text, cause);
    }
    LastResort resort = lastResort == null ? LastResort.of(start) : lastResort;
    lastResort = resort;
    resort.failed(text);
    log.failed(cause);
    opening.turnEnded();
  }

  /** The message that the log cannot be written, or not be read where that comes first. */
  String cannotWrite(Exception cause) {
    boolean reads = cause instanceof UnreadableException;
    return "cannot %s %s: %s; events stay in the spool, the newest are dropped once it is full; retrying"
        .formatted(reads ? "read" : "write", logName, reads ? cause.getCause() : cause);
  }

  @Override
  public void worked() {
    if (log.isFailing()) {
      voice.info("writing %s again".formatted(logName));
    }
    if (lastResort != null) {
      lastResort.succeeded();
    }
    log.succeeded();
    reading.succeeded();
    opening.turnEnded();
  }

  /** The first opening, for which start() waits. */
  FirstOpening opening() {
    return opening;
  }

  @Override
  public void opened() {
    opening.opened();
  }

  /** Causes an ERROR at the first attempt, as in Logback's file appenders, a WARN later. */
  @Override
  public void openingFailed(Exception cause) {
    FirstOpening.Report report = opening.failed(cause);
    if (report != FirstOpening.Report.NONE) {
      reported = cause;
    }
    if (report == FirstOpening.Report.BY_CALLER) {
      voice.error(cannotWrite(cause), cause);
    }
  }

  /** Called by the flusher's thread after each attempt to create a spool. */
  void spoolTried(boolean made) {
    opening.spoolTried(made);
  }

  /** Counts a record that no spool took. Called by the flusher's thread. */
  void neverSpooled(int level) {
    ledger.drop(DropReason.SPOOL_LOST, level, 1, wallClockMs.getAsLong());
  }

  void spoolFailed(Exception cause) {
    spool.failed(cause);
  }

  void spoolWorked() {
    spool.succeeded();
  }

  /**
   * Like {@link dev.forebay.observe.LedgerSnapshot#durableUpTo}. Updated after the ledger, so a
   * reader of this value finds the same records in a later snapshot.
   */
  long durableUpTo() {
    return durableUpTo;
  }

  /** Own records whose fate is known. */
  long handled() {
    return committed + lost;
  }

  /** Records of earlier processes and starts that are in the log. */
  long recovered() {
    return recovered;
  }
}
