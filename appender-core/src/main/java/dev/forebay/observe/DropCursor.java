package dev.forebay.observe;

import java.util.ArrayList;
import java.util.List;

/**
 * The position of one reader in a ledger's drops. A ledger has one cursor per reader for its whole
 * life, so drops between two starts are reported once.
 *
 * <p>Used by one thread, and briefly by two if a thread that hung during a stop returns after the
 * next start; hence the lock, which no logging thread takes.
 *
 * @hidden
 */
public final class DropCursor {

  private static final DropReason[] REASONS = DropReason.values();

  private final Ledger ledger;
  private final boolean isForListeners;
  private final long[] seen = new long[REASONS.length * Levels.COUNT];

  DropCursor(Ledger ledger, boolean isForListeners) {
    this.ledger = ledger;
    this.isForListeners = isForListeners;
  }

  /** Events dropped since the last {@link #advance}. */
  public synchronized long pending() {
    if (!ledger.hasDropped()) { // each turn of the flusher asks
      return 0;
    }
    long pending = 0;
    for (int slot = 0; slot < seen.length; slot++) {
      pending += traceAt(slot).count() - seen[slot];
    }
    return pending;
  }

  /** What was dropped since the last call, a summary for each reason and level. */
  public synchronized List<DropSummary> advance() {
    List<DropSummary> summaries = new ArrayList<>();
    for (int slot = 0; slot < seen.length; slot++) {
      Ledger.Trace trace = traceAt(slot);
      long count = trace.count() - seen[slot];
      if (count > 0) {
        seen[slot] += count;
        int reader = isForListeners ? 1 : 0;
        summaries.add(
            new DropSummary(
                REASONS[slot / Levels.COUNT],
                Levels.of(slot % Levels.COUNT),
                count,
                trace.takeFirstMs(reader),
                trace.lastMs(),
                isForListeners ? trace.takeSample() : null,
                trace.takeLoggers(reader)));
      }
    }
    return summaries;
  }

  public synchronized void skip(DropReason reason) {
    for (int level = 0; level < Levels.COUNT; level++) {
      int slot = reason.ordinal() * Levels.COUNT + level;
      seen[slot] = traceAt(slot).count();
    }
  }

  /** Skips one new drop of a reason and level. */
  public synchronized void skipOne(DropReason reason, int levelIndex) {
    int slot = reason.ordinal() * Levels.COUNT + levelIndex;
    seen[slot] += Math.min(1, traceAt(slot).count() - seen[slot]);
  }

  private Ledger.Trace traceAt(int slot) {
    return ledger.trace(REASONS[slot / Levels.COUNT], slot % Levels.COUNT);
  }
}
