package dev.forebay.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sums up what happened since the last call and tells the listeners. Called by the reporter's
 * thread only; outputs may be added by any.
 */
public final class FailureNotifier {

  /** What was already told of one output. */
  private static final class Watched {
    final OutputHealth health;
    final boolean foreign;
    long failuresReported;
    long recoveriesReported;

    /** Raised by whoever detaches the output. */
    volatile boolean detached;

    Watched(OutputHealth health, boolean foreign) {
      this.health = health;
      this.foreign = foreign;
    }
  }

  private final String appender;
  private final List<FailureListener> listeners;
  private final DropCursor drops;
  private final List<Watched> outputs = new CopyOnWriteArrayList<>();
  private final BiConsumer<String, @Nullable Throwable> problems;
  private boolean dropping;

  /**
   * @param appender its name, passed to the listeners
   * @param ledger the account to read
   * @param listeners whom to tell, in this order
   * @param problems told when a listener throws, and of the first failure of foreign code; must not
   *     throw
   */
  public FailureNotifier(
      String appender,
      Ledger ledger,
      List<FailureListener> listeners,
      BiConsumer<String, @Nullable Throwable> problems) {
    this.appender = appender;
    this.listeners = List.copyOf(listeners);
    this.drops = ledger.cursor(DropCursor.Reader.LISTENERS);
    this.problems = problems;
  }

  /** Has an output's failures and recoveries reported. */
  public void watch(OutputHealth health) {
    outputs.add(new Watched(health, false));
  }

  /**
   * The same of an encoder or an attached appender. The first failure is a problem too: where it
   * fails always, no report of drops gets into the log, and there need not be a listener.
   */
  public void watchForeign(OutputHealth health) {
    outputs.add(new Watched(health, true));
  }

  /**
   * Ends the reports of an output that is used no more; what is new by then is still told. Any
   * thread.
   */
  public void forget(OutputHealth health) {
    for (Watched output : outputs) {
      if (output.health == health) {
        output.detached = true;
      }
    }
    outputs.removeIf(output -> output.detached && output.health.failures() == 0);
  }

  /** Outputs that are watched. */
  int outputs() {
    return outputs.size();
  }

  /** Tells the listeners what is new; returns how many calls that took. */
  public int report() {
    List<Consumer<FailureListener>> news = new ArrayList<>();
    List<DropSummary> dropped = drops.advance();
    if (!dropped.isEmpty()) {
      news.add(listener -> listener.onDropped(appender, dropped));
    } else if (dropping) {
      news.add(listener -> listener.onDropsEnded(appender));
    }
    dropping = !dropped.isEmpty();
    List<Watched> told = outputs.stream().filter(output -> output.detached).toList();
    for (Watched output : outputs) {
      collect(output, news);
    }
    outputs.removeAll(told);
    news.forEach(this::tellAll);
    return news.size();
  }

  /** Whether nothing was dropped that the listeners have not been told of. Any thread. */
  public boolean hasReportedDrops() {
    return drops.pending() == 0;
  }

  /** Tells the listeners that the appender has started. */
  public void started() {
    tellAll(listener -> listener.onAppenderStarted(appender));
  }

  /** Tells the listeners what is new, then that the appender stops. */
  public void stopped() {
    report();
    tellAll(listener -> listener.onAppenderStopped(appender));
  }

  private void tellAll(Consumer<FailureListener> item) {
    listeners.forEach(listener -> tell(listener, item));
  }

  private void collect(Watched output, List<Consumer<FailureListener>> news) {
    long recoveries = output.health.recoveries();
    long failures = output.health.failures();
    if (failures > output.failuresReported) {
      OutputProblem problem = output.health.problem(failures - output.failuresReported);
      if (output.foreign && output.failuresReported == 0) {
        problems.accept(
            problem.output() + " failed; this is told once, listeners and JMX have the rest",
            problem.cause());
      }
      output.failuresReported = failures;
      news.add(listener -> listener.onOutputFailed(appender, problem));
    }
    if (recoveries > output.recoveriesReported && !output.health.isFailing()) {
      output.recoveriesReported = recoveries;
      OutputProblem problem = output.health.problem(0);
      news.add(listener -> listener.onOutputRecovered(appender, problem));
    }
  }

  private void tell(FailureListener listener, Consumer<FailureListener> item) {
    try {
      item.accept(listener);
    } catch (Throwable t) { // foreign code; the reporter must survive it
      problems.accept("Listener " + listener.getClass().getName() + " threw", t);
    }
  }

  /** The outputs that fail now, with their newest failures, or "". Any thread. */
  public String failing() {
    return outputs.stream()
        .filter(output -> output.health.isFailing())
        .map(output -> output.health.lastError())
        .collect(Collectors.joining("; "));
  }

  /** The newest failure of any output in words, or "". */
  public String lastError() {
    return outputs.stream()
        .map(output -> output.health.lastError())
        .filter(text -> !text.isEmpty())
        .reduce("", (older, newer) -> newer);
  }
}
