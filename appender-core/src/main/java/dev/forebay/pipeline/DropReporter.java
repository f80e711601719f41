package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.DropSummary;
import dev.forebay.observe.Ledger;
import dev.forebay.observe.Levels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * <p>Flusher's thread only, unless a method says otherwise.
 */
final class DropReporter {

  private final DropCursor cursor;
  private final PipelineContext context;
  private final long intervalNs;
  private final DropReason failureReason; // of a report that is dropped

  private long pendingBefore;
  private long pendingSinceNs;
  private long lastReportNs;

  /** Content of the last report if it was dropped. */
  private List<DropSummary> unreported = List.of();

  private boolean eventsSinceReport;

  /** Whether a report out of turn is to be made: set by the shutdown hook, cleared when it is. */
  private volatile boolean requested;

  DropReporter(Ledger ledger, PipelineContext context, long intervalNs, DropReason failureReason) {
    this.cursor = ledger.dropsInLog();
    this.context = context;
    this.intervalNs = intervalNs;
    this.failureReason = failureReason;
    this.lastReportNs = context.clock().nanoTime() - intervalNs;
  }

  /**
   * Writes a report if one is due.
   *
   * @param ringEmptied whether this turn emptied the ring
   * @param tookEvents whether it took any event
   * @param sink takes the report and returns whether it could
   */
  void reportIfDue(boolean ringEmptied, boolean tookEvents, Predicate<ILoggingEvent> sink) {
    if (ringEmptied && requested) { // read before the drops are
      reportNow(sink);
      requested = false;
      return;
    }
    eventsSinceReport |= tookEvents;
    long pending = cursor.pending();
    if (!isWaiting(pending)) {
      pendingBefore = 0;
      return;
    }
    long nowNs = context.clock().nanoTime();
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
    return requested || isWaiting(cursor.pending());
  }

  /**
   * Requests a report as soon as the ring is empty, whatever the interval. May have no effect while
   * one is made. The shutdown hook.
   */
  void request() {
    requested = true;
  }

  /** Whether all drops so far are reported, and a report requested is made. Any thread. */
  boolean hasReportedDrops() {
    return !hasNews() && !requested;
  }

  /** Whether anything was dropped since the last report. Any thread. */
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
    lastReportNs = context.clock().nanoTime();
    eventsSinceReport = false;
    String text = "Forebay: " + DropSummary.text(drops);
    long timeMs = context.wallClockMs().getAsLong();
    if (sink.test(OwnEvent.of(Level.WARN, text, context.loggerContext(), timeMs))) {
      unreported = List.of();
    } else {
      unreported = drops;
      cursor.skipOne(failureReason, Levels.WARN);
    }
    cursor.skip(DropReason.REENTRANT);
  }

  /** One summary for each reason and level. */
  private static List<DropSummary> merged(List<DropSummary> older, List<DropSummary> newer) {
    Map<String, DropSummary> merged = new LinkedHashMap<>();
    for (List<DropSummary> drops : List.of(older, newer)) {
      for (DropSummary drop : drops) {
        merged.merge(drop.reason() + " " + drop.level(), drop, DropSummary::and);
      }
    }
    return List.copyOf(merged.values());
  }
}
