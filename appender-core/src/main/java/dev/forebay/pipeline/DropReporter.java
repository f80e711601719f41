package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextVO;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.DropText;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The report of drops in the log itself: one WARN event of the logger {@value #LOGGER} where the
 * gap is, encoded like any other. It is made when the pressure ends, that is when the ring was
 * emptied and nothing was dropped since the last look, or in lasting pressure; at most once a
 * report interval.
 *
 * <p>Used by the flusher's thread only.
 */
final class DropReporter {

  static final String LOGGER = "dev.forebay";

  private final DropCursor cursor;
  private final LoggerContextVO context;
  private final NanoClock clock;
  private final LongSupplier wallClockMs;
  private final long intervalNs;

  private long pendingBefore;
  private long pendingSinceNs;
  private long lastReportNs;

  DropReporter(
      DropCursor cursor,
      LoggerContext context,
      NanoClock clock,
      LongSupplier wallClockMs,
      long intervalNs) {
    this.cursor = cursor;
    this.context = context.getLoggerContextRemoteView();
    this.clock = clock;
    this.wallClockMs = wallClockMs;
    this.intervalNs = intervalNs;
    this.lastReportNs = clock.nanoTime() - intervalNs;
  }

  /**
   * Makes a report if it is time for one.
   *
   * @param ringEmptied whether the turn that ends now took all there was
   * @return whether {@code sink} was given one
   */
  boolean reportWhenQuiet(boolean ringEmptied, Consumer<ILoggingEvent> sink) {
    long pending = cursor.pending();
    if (pending == 0) {
      pendingBefore = 0;
      return false;
    }
    long nowNs = clock.nanoTime();
    if (pendingBefore == 0) {
      pendingSinceNs = nowNs;
    }
    boolean quiet = ringEmptied && pending == pendingBefore;
    pendingBefore = pending;
    boolean due = quiet || nowNs - pendingSinceNs >= intervalNs;
    return due && nowNs - lastReportNs >= intervalNs && reportNow(sink);
  }

  /** Makes a report if anything was dropped since the last one. */
  boolean reportNow(Consumer<ILoggingEvent> sink) {
    pendingBefore = 0;
    var drops = cursor.advance();
    if (drops.isEmpty()) {
      return false;
    }
    lastReportNs = clock.nanoTime();
    sink.accept(event("Forebay: " + DropText.of(drops)));
    return true;
  }

  /** Forgets drops not reported yet: a report that is dropped itself must not cause the next. */
  void discardPending() {
    cursor.advance();
  }

  private ILoggingEvent event(String message) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerName(LOGGER);
    event.setLoggerContextRemoteView(context);
    event.setLevel(Level.WARN);
    event.setMessage(message);
    event.setThreadName(Thread.currentThread().getName());
    event.setInstant(Instant.ofEpochMilli(wallClockMs.getAsLong()));
    event.setMDCPropertyMap(Map.of());
    return event;
  }
}
