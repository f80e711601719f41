package dev.forebay.pipeline;

import dev.forebay.agent.AgentThread;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.FailureNotifier;

/**
 * The last reports of drops at JVM shutdown, when the next interval will not come. Used by the
 * shutdown hook.
 *
 * @param flusher makes the report in the log
 * @param flusherThread its thread
 * @param inLog drops not yet reported in the log
 * @param reporter notifies the listeners
 * @param notifier knows the drops not yet reported to the listeners
 */
record FinalReports(
    Flusher flusher,
    AgentThread flusherThread,
    DropCursor inLog,
    Reporter reporter,
    FailureNotifier notifier) {

  /** Requests both reports, whatever the interval. */
  void request() {
    flusher.requestReport();
    flusherThread.wake();
    reporter.requestReport();
  }

  /**
   * Whether all drops so far are reported, in the log and to the listeners. Requests reports again
   * if there are new ones.
   */
  boolean areMade() {
    boolean news = inLog.pending() > 0;
    boolean newsToListeners = !notifier.hasReportedDrops();
    boolean made = flusher.hasMadeReports();
    boolean madeToListeners = reporter.hasMadeReports();
    if ((news && made) || (newsToListeners && madeToListeners)) {
      request();
    }
    return !news && made && !newsToListeners && madeToListeners;
  }
}
