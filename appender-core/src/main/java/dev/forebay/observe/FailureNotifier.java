package dev.forebay.observe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sums up what happened since the last report and notifies the listeners. For the reporter's
 * thread; any thread may add outputs.
 *
 * @hidden
 */
public final class FailureNotifier {

  private final String appender;
  private final List<FailureListener> listeners;
  private final Ledger ledger;
  private final DropCursor drops;
  private final List<OutputHealth> outputs = new CopyOnWriteArrayList<>();
  private final BiConsumer<String, @Nullable Throwable> problems;
  private boolean dropping;

  /**
   * @param listeners live: this may still report when the next start has more of them
   * @param problems receives exceptions of listeners, and the first failure of each streak of a
   *     foreign output; must not throw
   */
  public FailureNotifier(
      String appender,
      Ledger ledger,
      List<FailureListener> listeners,
      BiConsumer<String, @Nullable Throwable> problems) {
    this.appender = appender;
    this.listeners = listeners;
    this.ledger = ledger;
    this.drops = ledger.dropsForListeners();
    this.problems = problems;
  }

  /** Reports the failures and recoveries of outputs from now on. No other notifier does. */
  public void watch(OutputHealth... watched) {
    for (OutputHealth output : watched) {
      outputs.add(output);
      output.watchedBy(ledger);
    }
  }

  /**
   * Like {@link #watch}, for an encoder or attached appender. The first failure of each streak is
   * also reported to {@code problems}: while it fails, no report of drops reaches the log, and
   * there may be no listener.
   */
  public void watchForeign(OutputHealth output) {
    output.isForeign = true;
    watch(output);
  }

  /** Ends the reports of an output that is no longer used. Any thread. */
  public void unwatch(OutputHealth output) {
    outputs.remove(output);
  }

  public void report() {
    List<DropSummary> dropped = drops.advance();
    if (!dropped.isEmpty()) {
      callAll(listener -> listener.onDropped(appender, dropped));
    } else if (dropping) {
      callAll(listener -> listener.onDropsEnded(appender));
    }
    dropping = !dropped.isEmpty();
    for (OutputHealth output : outputs) {
      report(output);
    }
  }

  private void report(OutputHealth output) {
    boolean isNewStreak = !output.isReportedToFail;
    OutputProblem problem = output.newFailures();
    if (problem != null) {
      if (output.isForeign && isNewStreak) {
        problems.accept(
            problem.output()
                + " failed; until it works again, further failures only go to listeners and JMX",
            problem.cause());
      }
      callAll(listener -> listener.onOutputFailed(appender, problem));
    }
    OutputProblem over = output.newRecovery();
    if (over != null) {
      callAll(listener -> listener.onOutputRecovered(appender, over));
    }
  }

  /** Whether the next {@link #report} has something to do. The reporter's thread. */
  public boolean hasNews() {
    if (dropping || drops.pending() > 0) {
      return true;
    }
    for (OutputHealth output : outputs) {
      if (output.hasNews()) {
        return true;
      }
    }
    return false;
  }

  /** Whether all drops so far were reported to the listeners. Any thread. */
  public boolean hasReportedDrops() {
    return drops.pending() == 0;
  }

  public void started() {
    if (!listeners.isEmpty()) { // most have none, and are spared the lambda
      callAll(listener -> listener.onAppenderStarted(appender));
    }
  }

  /** Notifies the listeners of news, then of the stop. */
  public void stopped() {
    report();
    callAll(listener -> listener.onAppenderStopped(appender));
  }

  private void callAll(Consumer<FailureListener> item) {
    for (FailureListener listener : listeners) {
      try {
        item.accept(listener);
      } catch (Throwable t) { // foreign code; the reporter must survive it
        problems.accept("Listener " + listener.getClass().getName() + " threw", t);
      }
    }
  }

  /** The outputs that fail now, with their newest failures, or "". Any thread. */
  public String failing() {
    return outputs.stream()
        .filter(output -> output.isFailing())
        .map(output -> output.lastError())
        .collect(Collectors.joining("; "));
  }

  /** The newest failure of any output in words, or "". */
  public String lastError() {
    return outputs.stream()
        .map(output -> output.lastError())
        .filter(text -> !text.isEmpty())
        .reduce("", (older, newer) -> newer);
  }
}
