package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The first attempts of a start to make a spool and to open the log. They happen on the flusher's
 * and on the shipper's thread; the thread that starts the appender waits a moment for them, so that
 * a failure is among the statuses that Logback prints at the end of a configuration.
 */
final class FirstOpening {

  /**
   * A turn of the shipper that ends after the spool was made may have begun before; the second one
   * knows of the spool. A turn that opens nothing means that another appender has the log.
   */
  private static final int TURNS_WITHOUT_OPENING = 2;

  private static final long NS_PER_MS = 1_000_000;

  // All guarded by this.
  private boolean spoolMade;
  private int turns;
  private boolean over;
  private boolean abandoned;
  private @Nullable Exception failure;

  /** Without a spool no log is opened. The flusher's thread. */
  synchronized void spoolTried(boolean made) {
    spoolMade |= made;
    if (!made) {
      end();
    }
  }

  /** The shipper's thread, after each turn. */
  synchronized void turnEnded() {
    if (!over && spoolMade && ++turns >= TURNS_WITHOUT_OPENING) {
      end();
    }
  }

  /** The shipper's thread, when the log is open. */
  synchronized void opened() {
    end();
  }

  /** What becomes of the report of a failed opening. */
  enum Report {
    /** The thread that starts the appender makes it. */
    BY_STARTER,
    /** The caller makes it. */
    BY_CALLER,
    /** Not the first attempt. */
    NONE
  }

  /** The shipper's thread, when the log could not be opened. */
  synchronized Report failed(Exception cause) {
    if (over) {
      return Report.NONE;
    }
    failure = cause;
    end();
    return abandoned ? Report.BY_CALLER : Report.BY_STARTER;
  }

  /**
   * Waits for the attempts, once, on the thread that starts the appender. An interrupt ends the
   * wait and is kept.
   *
   * @param timeoutNs at most this long; 0 only looks
   * @return why the log could not be opened; null when it could, or when the time is over
   */
  synchronized @Nullable Exception await(NanoClock clock, long timeoutNs) {
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long leftNs = timeoutNs;
    while (!over && leftNs > 0) {
      try {
        wait(leftNs / NS_PER_MS + 1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      leftNs = deadlineNs - clock.nanoTime();
    }
    abandoned = true;
    return failure;
  }

  private void end() {
    over = true;
    notifyAll();
  }
}
