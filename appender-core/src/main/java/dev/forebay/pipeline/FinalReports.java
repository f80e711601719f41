package dev.forebay.pipeline;

import dev.forebay.agent.AgentThread;
import dev.forebay.observe.DropCursor;
import dev.forebay.observe.FailureNotifier;

/**
 * The reports of drops that are owed when the JVM shuts down, whose next interval will not come.
 * For the shutdown hook.
 *
 * @param flusher makes the report in the log
 * @param flusherThread its thread
 * @param inLog what the log was told
 * @param reporter tells the listeners
 * @param reporterThread its thread
 * @param notifier what the listeners were told
 */
record FinalReports(
    Flusher flusher,
    AgentThread flusherThread,
    DropCursor inLog,
    Reporter reporter,
    AgentThread reporterThread,
    FailureNotifier notifier) {

  /** Asks for both reports, to be made whatever the interval. */
  void ask() {
    flusher.requestReport();
    flusherThread.wake();
    reporter.requestReport();
    reporterThread.wake();
  }

  /**
   * Whether every drop up to now is reported in the log and told to the listeners. Asks again where
   * there are new ones.
   */
  boolean areMade() {
    boolean news = inLog.pending() > 0;
    boolean newsToListeners = !notifier.hasReportedDrops();
    boolean made = flusher.hasMadeReports();
    boolean madeToListeners = reporter.hasMadeReports();
    if ((news && made) || (newsToListeners && madeToListeners)) {
      ask();
    }
    return !news && made && !newsToListeners && madeToListeners;
  }
}
