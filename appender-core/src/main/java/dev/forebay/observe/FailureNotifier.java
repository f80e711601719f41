package dev.forebay.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sums up what happened since the last report and notifies the listeners. For the reporter's
 * thread; any thread may add outputs.
 */
public final class FailureNotifier {

  private final String appender;
  private final List<FailureListener> listeners;
  private final DropCursor drops;
  private final List<OutputHealth> outputs = new CopyOnWriteArrayList<>();
  private final BiConsumer<String, @Nullable Throwable> problems;
  private boolean dropping;

  /** Set before the start; run by any thread. */
  private volatile @Nullable Runnable onNews;

  /**
   * @param appender its name, passed to the listeners
   * @param ledger the account to read
   * @param listeners notified in this order
   * @param problems receives exceptions of listeners, and the first failure of each streak of a
   *     foreign output; must not throw
   */
  public FailureNotifier(
      String appender,
      Ledger ledger,
      List<FailureListener> listeners,
      BiConsumer<String, @Nullable Throwable> problems) {
    this.appender = appender;
    this.listeners = List.copyOf(listeners);
    this.drops = ledger.dropsForListeners();
    this.problems = problems;
  }

  /** Reports the failures and recoveries of an output from now on. No other notifier does. */
  public void watch(OutputHealth output) {
    outputs.add(output);
    output.watchedBy(this);
    tellNews(); // of a failure before that
  }

  /** Any thread. */
  void tellNews() {
    Runnable action = onNews;
    if (action != null) {
      action.run();
    }
  }

  /**
   * Sets what to run when an output fails, recovers or is no longer used; drops are up to the
   * ledger. It must not block.
   */
  public void onNews(Runnable action) {
    onNews = action;
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

  /**
   * Ends the reports of an output that is no longer used. Failures so far are still reported. Any
   * thread.
   */
  public void unwatch(OutputHealth output) {
    output.isDetached = true;
    tellNews();
    outputs.removeIf(gone -> gone.isDetached && gone.failures() == 0);
  }

  /** Whether there is anybody to notify. */
  public boolean hasListeners() {
    return !listeners.isEmpty();
  }

  /** Outputs that are watched. */
  int outputs() {
    return outputs.size();
  }

  /** Notifies the listeners of news; returns the number of calls to each. */
  public int report() {
    List<Consumer<FailureListener>> news = new ArrayList<>();
    List<DropSummary> dropped = drops.advance();
    if (!dropped.isEmpty()) {
      news.add(listener -> listener.onDropped(appender, dropped));
    } else if (dropping) {
      news.add(listener -> listener.onDropsEnded(appender));
    }
    dropping = !dropped.isEmpty();
    List<OutputHealth> gone = new ArrayList<>(0);
    for (OutputHealth output : outputs) {
      if (output.isDetached) { // its last news are told now
        gone.add(output);
      }
      collect(output, news);
    }
    outputs.removeAll(gone);
    for (Consumer<FailureListener> item : news) {
      callAll(item);
    }
    return news.size();
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

  /** Notifies the listeners of the start. */
  public void started() {
    for (FailureListener each : listeners) {
      call(each, listener -> listener.onAppenderStarted(appender));
    }
  }

  /** Notifies the listeners of news, then of the stop. */
  public void stopped() {
    report();
    for (FailureListener each : listeners) {
      call(each, listener -> listener.onAppenderStopped(appender));
    }
  }

  private void callAll(Consumer<FailureListener> item) {
    for (FailureListener each : listeners) {
      call(each, item);
    }
  }

  private void collect(OutputHealth output, List<Consumer<FailureListener>> news) {
    boolean wasTold = output.isToldToFail;
    long recoveries = output.recoveries(); // first: so none is told before its failure
    OutputProblem problem = output.newFailures();
    if (problem != null) {
      if (output.isForeign && !wasTold) {
        problems.accept(
            problem.output()
                + " failed; until it works again, further failures only go to listeners and JMX",
            problem.cause());
      }
      news.add(listener -> listener.onOutputFailed(appender, problem));
    }
    OutputProblem over = output.newRecovery(recoveries);
    if (over != null) {
      news.add(listener -> listener.onOutputRecovered(appender, over));
    }
  }

  private void call(FailureListener listener, Consumer<FailureListener> item) {
    try {
      item.accept(listener);
    } catch (Throwable t) { // foreign code; the reporter must survive it
      problems.accept("Listener " + listener.getClass().getName() + " threw", t);
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
