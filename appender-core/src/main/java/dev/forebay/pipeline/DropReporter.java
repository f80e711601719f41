package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextVO;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.DropText;
import dev.forebay.observe.Levels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Reports drops in the log itself: one WARN event of the logger {@value OwnEvent#LOGGER} where the
 * gap is, encoded like any other. A report is due when the pressure ends (the ring was emptied and
 * nothing was dropped since the last check) or lasts; at most once per report interval.
 *
 * <p>A report never causes another: its own drop is skipped, and so are those of an appender that
 * logs what it writes. The content of a dropped report goes into the next one, which waits for new
 * drops or until other events come through.
 *
 * <p>Flusher's thread only.
 */
final class DropReporter {

  private final DropCursor cursor;
  private final LoggerContextVO context;
  private final NanoClock clock;
  private final LongSupplier wallClockMs;
  private final long intervalNs;
  private final DropReason failureReason;

  private long pendingBefore;
  private long pendingSinceNs;
  private long lastReportNs;

  /** Content of the last report if it was dropped. */
  private List<DropSummary> unreported = List.of();

  private boolean eventsSinceReport;

  /**
   * @param failureReason drop reason that the sink counts for a report
   */
  DropReporter(
      DropCursor cursor,
      LoggerContext context,
      NanoClock clock,
      LongSupplier wallClockMs,
      long intervalNs,
      DropReason failureReason) {
    this.cursor = cursor;
    this.context = context.getLoggerContextRemoteView();
    this.clock = clock;
    this.wallClockMs = wallClockMs;
    this.intervalNs = intervalNs;
    this.failureReason = failureReason;
    this.lastReportNs = clock.nanoTime() - intervalNs;
  }

  /**
   * Writes a report if one is due.
   *
   * @param ringEmptied whether this turn emptied the ring
   * @param tookEvents whether it took any event
   * @param sink takes the report and returns whether it could
   */
  void reportWhenQuiet(boolean ringEmptied, boolean tookEvents, Predicate<ILoggingEvent> sink) {
    eventsSinceReport |= tookEvents;
    long pending = cursor.pending();
    if (!isWaiting(pending)) {
      pendingBefore = 0;
      return;
    }
    long nowNs = clock.nanoTime();
    if (pendingBefore == 0) {
      pendingSinceNs = nowNs;
    }
    boolean quiet = ringEmptied && pending == pendingBefore;
    pendingBefore = pending;
    boolean due = quiet || nowNs - pendingSinceNs >= intervalNs;
    if (due && nowNs - lastReportNs >= intervalNs) {
      reportNow(sink);
    }
  }

  private boolean isWaiting(long pending) {
    return pending > 0 || (!unreported.isEmpty() && eventsSinceReport);
  }

  /** Whether a report will be due without another event or drop. */
  boolean isWaiting() {
    return isWaiting(cursor.pending());
  }

  /** Whether anything was dropped since the last report. */
  boolean hasNews() {
    return cursor.pending() > 0;
  }

  /** Reports all unreported drops, if any. */
  void reportNow(Predicate<ILoggingEvent> sink) {
    pendingBefore = 0;
    List<DropSummary> drops = merged(unreported, cursor.advance());
    if (drops.isEmpty()) {
      return;
    }
    lastReportNs = clock.nanoTime();
    eventsSinceReport = false;
    if (sink.test(
        OwnEvent.of(
            Level.WARN, "Forebay: " + DropText.of(drops), context, wallClockMs.getAsLong()))) {
      unreported = List.of();
    } else {
      unreported = drops;
      cursor.skipOne(failureReason, Levels.WARN);
    }
    cursor.skip(DropReason.REENTRANT);
  }

  /** One summary for each reason and level. */
  private static List<DropSummary> merged(List<DropSummary> older, List<DropSummary> newer) {
    if (older.isEmpty()) {
      return newer;
    }
    Map<String, DropSummary> merged = new LinkedHashMap<>();
    for (DropSummary drop : older) {
      merged.put(drop.reason() + " " + drop.level(), drop);
    }
    for (DropSummary drop : newer) {
      merged.merge(drop.reason() + " " + drop.level(), drop, DropSummary::and);
    }
    return List.copyOf(merged.values());
  }
}
