package dev.forebay.observe;

import java.util.List;

/**
 * Told of what went wrong in an appender: {@code <listener class="…"/>}.
 *
 * <p>All calls come from the appender's reporter thread, one at a time, never from a thread that
 * logs, and at most once a {@code reportInterval}; what happened in between is summed up. A
 * listener that blocks holds up neither log calls nor events, but the listeners behind it, and the
 * replacement of a thread that an {@code Error} ended. What it throws is reported as a Logback
 * status and counted against nobody. A listener may log: its event enters the pipeline like any
 * other.
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

  /** The appender stops; the last call. Not made when a listener still blocks at that time. */
  default void onAppenderStopped(String appender) {}
}
