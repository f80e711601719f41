package dev.forebay.observe;

import java.util.List;

/**
 * Receives the drops and failures of an appender: {@code <listener class="…"/>}.
 *
 * <p>The appender's reporter thread makes all calls, one at a time, at most once per {@code
 * reportInterval}, with a summary of what happened since. A listener that blocks delays neither log
 * calls nor events, only the listeners after it and the replacement of a thread that an {@code
 * Error} ended. What it throws becomes a Logback status. A listener may log: its events enter the
 * pipeline like any other.
 */
public interface FailureListener {

  /**
   * Events were dropped.
   *
   * @param appender name of the appender
   * @param drops one element for each reason and level, never empty
   */
  default void onDropped(String appender, List<DropSummary> drops) {}

  /** Nothing was dropped for a whole {@code reportInterval} after {@link #onDropped}. */
  default void onDropsEnded(String appender) {}

  /** An output failed: an attached appender, the spool or the log file. */
  default void onOutputFailed(String appender, OutputProblem problem) {}

  /** An output that had failed works again. */
  default void onOutputRecovered(String appender, OutputProblem problem) {}

  /** The appender has started. */
  default void onAppenderStarted(String appender) {}

  /** The appender stops; the last call. Not made if a listener still blocks then. */
  default void onAppenderStopped(String appender) {}
}
