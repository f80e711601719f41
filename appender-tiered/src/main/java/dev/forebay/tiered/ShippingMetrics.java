package dev.forebay.tiered;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.agent.Voice;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import dev.forebay.observe.OutputHealth;
import dev.forebay.tiered.disk.UnreadableException;
import dev.forebay.tiered.ship.LogLocator;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.Target;
import dev.forebay.tiered.spool.OwnSpool;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Enters what becomes of spooled records into the appender's ledger, and reports when the log or
 * the spool starts and stops failing. Written by the shipper's thread; the methods for the spool by
 * the flusher's.
 *
 * <p>The thread that starts the appender waits briefly for the first attempts to create a spool and
 * to open the log, so that a failure is among the statuses that Logback prints at the end of a
 * configuration.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // each field has one writer
final class ShippingMetrics implements ShippingListener {

  /** Most failures that end by themselves are over after this time. */
  static final long LASTS_NS = 5_000_000_000L;

  private static final long NS_PER_MS = 1_000_000;

  /** Written by the shipper's thread, like the next. */
  final OutputHealth log;

  final OutputHealth reading;

  /** Written by the flusher's thread, or a log call in its turn. */
  final OutputHealth spool = new OutputHealth("the spool");

  private final StartContext context;
  private final LogLocator locator;
  private final Ledger ledger;
  private final Voice voice;

  // Whether the first opening was tried. Guarded by this.
  private boolean isTried;
  private boolean isAwaited = true;

  /** Written by the shipper's thread. */
  private @Nullable Exception notOpened;

  // Shipper's thread only.
  private long failingSinceNs;
  private boolean isSaidAtLast;
  private long refusedNext;

  /** How many events had been passed on at the time of the mark, or a few more. */
  private long marked;

  private long markedNs;

  // Written by the shipper's thread; read by JMX and by threads that wait in flush.
  private volatile long settled;
  private volatile long durableUpTo;
  private volatile long recovered;

  /** No event that waits was passed on before; the last mark that all have reached. */
  private volatile long markReachedNs;

  /** Events that were passed on and that no spool took. Written as the spool's health is. */
  private volatile long refused;

  /** Events that were passed on, counted at the end of a batch. Written by the same. */
  private volatile long passedOn;

  /** When events were passed on while none waited, the newest time. Written by the same. */
  private volatile long notEmptySinceNs;

  /** Events that earlier starts left in spools; kept: it is unknown which process ships them. */
  private final long carried;

  ShippingMetrics(StartContext context, LogLocator locator) {
    this.context = context;
    this.locator = locator;
    this.ledger = context.ledger();
    this.voice = context.voice();
    this.carried = ledger.snapshot().inFlight();
    this.markedNs = context.clock().nanoTime();
    this.markReachedNs = markedNs;
    this.log = new OutputHealth("the log " + context.settings().logName());
    this.reading = new OutputHealth("reading the spool");
  }

  /** Updates the ledger, then the watermark, then releases the threads that wait in flush. */
  @Override
  public void settled(long records, long gone, long reached) {
    ledger.deliver(records);
    drop(gone - refusedNext);
    refusedNext = 0;
    if (context.settings().fsync().forces()) {
      durableUpTo = reached;
    }
    settled += records + gone;
    if (handled() >= marked) {
      markReachedNs = markedNs;
      markedNs = context.clock().nanoTime(); // before the count: events not counted came later
      marked = passedOn;
    }
  }

  @Override
  public void refused(long records) {
    ledger.drop(DropReason.REFUSED, Levels.COUNT - 1, records, context.wall().millis());
    refusedNext += records;
  }

  @Override
  public void lost(long records) {
    drop(records);
    settled += records;
  }

  /** The level of a lost record is unknown: it counts as the most important one. */
  private void drop(long records) {
    ledger.drop(DropReason.SPOOL_LOST, Levels.COUNT - 1, records, context.wall().millis());
  }

  @Override
  public void recovered(long records) {
    recovered += records;
  }

  /**
   * This start's events that are neither delivered nor dropped; once stopped, left in the spool.
   */
  long left() {
    return Math.max(0, ledger.snapshot().inFlight() - carried);
  }

  /** Reports, even without a listener, how many events wait for another start. Any thread. */
  void warnOfLeft(long events) {
    if (events > 0) {
      // Records for a topic have keys and headers, which a file cannot hold.
      Target target = context.settings().target();
      boolean isForFile = target == null || !target.needsAttributes();
      String text =
          "%d events are left in the spool for the next start, which ships them to %s; without one: forebay %s %s"
              .formatted(
                  events,
                  context.settings().logName(),
                  isForFile ? "recover --to FILE" : "cat --unshipped",
                  locator.toolName());
      voice.lastResort(text);
      voice.warn(text + ": " + ledger.snapshot(OptionalLong.of(durableUpTo)));
    }
  }

  @Override
  public void warn(String text) {
    voice.warn(text);
  }

  @Override
  public void info(String text) {
    voice.info(text);
  }

  @Override
  public void unreadable(Exception cause) {
    if (!reading.isFailing()) {
      voice.warn(cause.getMessage() + "; retrying", cause);
    }
    reading.failed(cause);
    tried();
  }

  @Override
  public void failed(Exception cause) {
    String text = cannotWrite(cause);
    if (!log.isFailing()) {
      failingSinceNs = context.clock().nanoTime();
      if (cause != notOpened) {
        voice.warn(text, stackOf(cause));
      }
    }
    log.failed(cause);
    sayAtLast(text);
    tried();
  }

  /**
   * On standard error, once, if it lasts and no status listener exists: Logback prints statuses
   * only at the end of a configuration.
   */
  private void sayAtLast(String text) {
    if (!isSaidAtLast && context.clock().nanoTime() - failingSinceNs >= LASTS_NS) {
      isSaidAtLast = true;
      voice.lastResort(text);
    }
  }

  /** The message that the log cannot be written, or cannot be read if that failed first. */
  String cannotWrite(Exception cause) {
    boolean reads = cause instanceof UnreadableException;
    return "cannot %s %s: %s; events stay in the spool, the newest are dropped once it is full; retrying"
        .formatted(
            reads ? "read" : "write",
            context.settings().logName(),
            reason(reads ? cause.getCause() : cause));
  }

  private String reason(@Nullable Throwable cause) {
    if (!(cause instanceof FileSystemException of)) {
      return String.valueOf(cause);
    }
    String file = String.valueOf(of.getFile());
    String where = file.equals(context.settings().logName().toString()) ? "" : file + ": ";
    if (cause instanceof AccessDeniedException) {
      String user = System.getProperty("user.name");
      return where + "user " + user + " lacks the right to write it, or to enter its directory";
    }
    String reason = of.getReason();
    return where + (reason == null ? cause.getClass().getSimpleName() : reason);
  }

  /** The cause for its stack trace; null if that adds nothing. */
  private static @Nullable Exception stackOf(Exception cause) {
    return cause instanceof FileSystemException ? null : cause;
  }

  @Override
  public void worked() {
    if (log.isFailing()) {
      voice.info("writing %s again".formatted(context.settings().logName()));
    }
    log.succeeded();
    reading.succeeded();
  }

  @Override
  public void waits(String text) {
    warn(text);
    tried();
  }

  @Override
  public void opened() {
    tried();
  }

  /** Causes an ERROR at the first attempt, as in Logback's file appenders, a WARN later. */
  @Override
  public void openingFailed(Exception cause) {
    synchronized (this) {
      if (isTried) {
        return;
      }
      notOpened = cause;
      tried();
      if (isAwaited) {
        return; // the waiting thread reports it
      }
    }
    error(cause);
  }

  /** Reports that the log cannot be opened. */
  void error(Exception cause) {
    voice.error(cannotWrite(cause), stackOf(cause));
  }

  /**
   * The log was opened, or will not be soon. Called by the flusher's thread too, when there can be
   * no spool: without one no log is opened.
   */
  synchronized void tried() {
    isTried = true;
    notifyAll();
  }

  /**
   * Waits for the first opening; called first by the thread that starts the appender. An interrupt
   * ends the wait; the interrupt flag stays set.
   *
   * @param timeoutNs longest wait; 0 only checks
   * @return why the log could not be opened; null if it could, or if the time is over
   */
  synchronized @Nullable Exception awaitOpening(long timeoutNs) {
    long deadlineNs = context.clock().nanoTime() + timeoutNs;
    try {
      for (long left = timeoutNs;
          !isTried && left > 0;
          left = deadlineNs - context.clock().nanoTime()) {
        wait(left / NS_PER_MS + 1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    isAwaited = false;
    return notOpened;
  }

  /** Drops an event that no spool took. For the thread in the flusher's turn, like the next. */
  void neverSpooled(DropReason reason, ILoggingEvent event) {
    ledger.drop(reason, event);
    refused++;
  }

  /** As the other, for an event of which only the level is known. */
  void neverSpooled(int level) {
    ledger.drop(DropReason.SPOOL_LOST, level, 1, context.wall().millis());
    refused++;
  }

  /**
   * Like {@link dev.forebay.observe.LedgerSnapshot#durableUpTo}. Updated after the ledger, so a
   * reader of this value finds the same records in a later snapshot.
   */
  long durableUpTo() {
    return durableUpTo;
  }

  /**
   * A batch has ended. For the thread that has the flusher's turn.
   *
   * @param events passed on so far
   */
  void passedOn(long events, long nowNs) {
    if (handled() >= passedOn) {
      notEmptySinceNs = nowNs;
    }
    passedOn = events;
  }

  long passedOn() {
    return passedOn;
  }

  /**
   * How long an event has waited at most, since it was passed on, to be in the log and, unless
   * fsync is {@code never}, to be forced; 0 if none waits. The true age is less by up to two
   * commits: it comes from marks, not from the time of each event.
   */
  long longestWaitNs() {
    if (passedOn <= handled()) {
      return 0;
    }
    long nowNs = context.clock().nanoTime();
    return Math.max(0, Math.min(nowNs - notEmptySinceNs, nowNs - markReachedNs));
  }

  /** Shows its numbers and those of the spool in use; null while there is none. Any thread. */
  void show(Map<String, Long> shown, @Nullable OwnSpool used) {
    shown.put("durableUpTo", durableUpTo);
    shown.put("recovered", recovered);
    shown.put("longestWaitMillis", longestWaitNs() / NS_PER_MS);
    shown.put("spoolBytes", used == null ? 0 : used.usedBytes());
    shown.put("spoolLimitBytes", used == null ? 0 : used.limitBytes());
  }

  /** Own events that were passed on and whose fate is known. */
  long handled() {
    return settled + refused;
  }

  /** Records of earlier processes and starts that are in the log. */
  long recovered() {
    return recovered;
  }
}
