package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The first attempts of a start to create a spool and to open the log. They happen on the flusher's
 * and the shipper's thread. The thread that starts the appender waits briefly for them, so that a
 * failure is among the statuses that Logback prints at the end of a configuration.
 */
final class FirstOpening {

  /**
   * The first shipper turn that ends after the spool was created may have begun before it; the
   * second one includes the spool. If that turn opens nothing, another appender has the log.
   */
  private static final int TURNS_WITHOUT_OPENING = 2;

  private static final long NS_PER_MS = 1_000_000;

  // All guarded by this.
  private boolean spoolMade;
  private int turns;
  private boolean over;
  private boolean abandoned;
  private @Nullable Exception failure;

  /** Called by the flusher's thread; without a spool no log is opened. */
  synchronized void spoolTried(boolean made) {
    spoolMade |= made;
    if (!made) {
      end();
    }
  }

  /** Called by the shipper's thread after each turn. */
  synchronized void turnEnded() {
    if (!over && spoolMade && ++turns >= TURNS_WITHOUT_OPENING) {
      end();
    }
  }

  /** Called by the shipper's thread when the log is open. */
  synchronized void opened() {
    end();
  }

  /** Who reports a failed opening. */
  enum Report {
    /** The thread that starts the appender. */
    BY_STARTER,
    /** The caller. */
    BY_CALLER,
    /** No one: it is not the first attempt. */
    NONE
  }

  /** Called by the shipper's thread when the log could not be opened. */
  synchronized Report failed(Exception cause) {
    if (over) {
      return Report.NONE;
    }
    failure = cause;
    end();
    return abandoned ? Report.BY_CALLER : Report.BY_STARTER;
  }

  /**
   * Waits for the attempts; called once, by the thread that starts the appender. An interrupt ends
   * the wait; the interrupt flag stays set.
   *
   * @param timeoutNs longest wait; 0 only checks
   * @return why the log could not be opened; null if it could, or if the time is over
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
