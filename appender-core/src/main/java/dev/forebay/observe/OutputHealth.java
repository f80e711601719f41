package dev.forebay.observe;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether one output works. Written by the one thread that uses the output; read by the reporter
 * and JMX.
 *
 * @hidden
 */
public final class OutputHealth {

  private final String output;
  private final InstantSource clock;

  // Written by the thread that uses the output, the counters last.
  private volatile @Nullable Throwable lastCause;
  private volatile Instant since = Instant.EPOCH; // the first failure of the streak
  private volatile boolean failing;
  private volatile long failures;

  /** Used by the reporter's thread, like the next. */
  private long failuresReported;

  /** Whether listeners know of the failure and not yet of the recovery. */
  boolean isReportedToFail;

  /** Whether the output is foreign code. Set before it is watched. */
  boolean isForeign;

  /** Notified by the thread that uses the output, after it has updated the counters. */
  private volatile @Nullable Ledger watcher;

  public OutputHealth(String output) {
    this(output, InstantSource.system());
  }

  OutputHealth(String output, InstantSource clock) {
    this.output = Printable.text(output);
    this.clock = clock;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void failed(Throwable cause) {
    lastCause = cause;
    if (!failing) {
      since = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
    failing = true;
    failures++;
    changed();
  }

  /** Ends a streak of failures; cheap when there is none. */
  public void succeeded() {
    if (failing) {
      failing = false;
      changed();
    }
  }

  private void changed() {
    Ledger told = watcher;
    if (told != null) {
      told.tellNews();
    }
  }

  /** Notifies the ledger of each failure and recovery from now on, and of one before. */
  void watchedBy(Ledger ledger) {
    watcher = ledger;
    ledger.tellNews();
  }

  /** Whether the newest attempt failed. */
  public boolean isFailing() {
    return failing;
  }

  /** The newest failure in words, and when its streak began; "" when there has been none. */
  public String lastError() {
    Throwable cause = lastCause;
    String time = (failing ? ", since " : ", at ") + since + ": ";
    return cause == null ? "" : output + time + Printable.text(cause.toString());
  }

  boolean hasNews() {
    return failures > failuresReported || isReportedToFail && !failing;
  }

  /** The failures since the last call; null if there are none. */
  @Nullable OutputProblem newFailures() {
    long fresh = failures - failuresReported;
    if (fresh == 0) {
      return null;
    }
    failuresReported += fresh;
    isReportedToFail = true;
    return new OutputProblem(output, fresh, lastCause);
  }

  /** The recovery, if a reported failure has ended; otherwise null. */
  @Nullable OutputProblem newRecovery() {
    if (!isReportedToFail || failing) {
      return null;
    }
    isReportedToFail = false;
    return new OutputProblem(output, 0, lastCause);
  }
}
