package dev.forebay.observe;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether one output works. Written by the one thread that uses the output; read by the reporter
 * and JMX.
 */
public final class OutputHealth {

  private final String output;
  private final LongSupplier wallClockMs;

  // Written by the thread that uses the output, the counters last.
  private volatile @Nullable Throwable lastCause;
  private volatile long streakStartMs;
  private volatile boolean failing;
  private volatile long failures;
  private volatile long recoveries;

  // What was reported. Used by the reporter's thread.
  private long failuresReported;
  private long recoveriesReported;

  /** Whether listeners know that it fails, and not yet that it works again. */
  boolean isToldToFail;

  /** Set before it is watched. */
  boolean isForeign;

  /** Set by the thread that detaches the output. */
  volatile boolean isDetached;

  /** Told by the thread that uses the output, after the counters. */
  private volatile @Nullable FailureNotifier watcher;

  /**
   * @param output name for messages
   * @param wallClockMs milliseconds since the epoch
   */
  public OutputHealth(String output, LongSupplier wallClockMs) {
    this.output = Printable.text(output);
    this.wallClockMs = wallClockMs;
  }

  /** Counts a failed attempt. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void failed(Throwable cause) {
    lastCause = cause;
    if (!failing) {
      streakStartMs = wallClockMs.getAsLong();
      failing = true;
    }
    failures++;
    changed();
  }

  /** Ends a streak of failures; cheap when there is none. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void succeeded() {
    if (failing) {
      failing = false;
      recoveries++;
      changed();
    }
  }

  private void changed() {
    FailureNotifier told = watcher;
    if (told != null) {
      told.tellNews();
    }
  }

  /** Tells of each failure and recovery from now on. */
  void watchedBy(FailureNotifier notifier) {
    watcher = notifier;
  }

  /** Whether the newest attempt failed. */
  public boolean isFailing() {
    return failing;
  }

  /** The newest failure in words, or "" when there has been none. */
  public String lastError() {
    Throwable cause = lastCause;
    return cause == null ? "" : output + ": " + Printable.text(cause.toString());
  }

  long failures() {
    return failures;
  }

  /** Whether there is something to report. */
  boolean hasNews() {
    return isDetached || failures > failuresReported || recoveries > recoveriesReported && !failing;
  }

  /** The failures since the last call; null if there are none. */
  @Nullable OutputProblem newFailures() {
    long fresh = failures - failuresReported;
    if (fresh == 0) {
      return null;
    }
    failuresReported += fresh;
    isToldToFail = true;
    return new OutputProblem(output, fresh, streakStartMs, lastCause);
  }

  long recoveries() {
    return recoveries;
  }

  /** Whether it works again since the last call, of so many recoveries; null if not. */
  @Nullable OutputProblem newRecovery(long seen) {
    if (seen == recoveriesReported || failing) {
      return null;
    }
    recoveriesReported = seen;
    isToldToFail = false;
    return new OutputProblem(output, 0, streakStartMs, lastCause);
  }
}
