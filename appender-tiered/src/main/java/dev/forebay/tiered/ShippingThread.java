package dev.forebay.tiered;

import dev.forebay.agent.AgentThread;
import dev.forebay.agent.TimeLimit;
import dev.forebay.pipeline.EventSink;
import dev.forebay.tiered.ship.Shipper;

/** The shipper's thread, as a sink wakes it, waits for it and ends it. Any thread. */
final class ShippingThread {

  /** After a pause this long without records, the next ones are shipped at once. */
  private static final long QUIET_NS = 100_000_000;

  /** The least time the shipper gets to commit and close when the appender stops. */
  private static final long MIN_STOP_NS = 100_000_000;

  private final Shipper shipper;
  private final AgentThread thread;
  private final ShippingMetrics account;

  /** Flusher's thread only. */
  private long lastNs;

  /** Set once, by the shutdown hook: the shipper follows each batch. */
  private volatile boolean ending;

  /** Set at the end of {@link #stop}: nothing is shipped any more. */
  private volatile boolean ended;

  ShippingThread(ShippingMetrics account, Shipper shipper, AgentThread thread) {
    this.shipper = shipper;
    this.thread = thread;
    this.account = account;
  }

  /** Causes a turn. */
  void wake() {
    thread.wake();
  }

  /**
   * Has it ship a batch in time. Called by the flusher's thread after each.
   *
   * @param isMuch whether so many records wait that it should not park any longer
   */
  void follow(long nowNs, boolean isMuch) {
    if (ending) {
      thread.wake();
    } else {
      thread.wakeIfAsleep(); // also as it falls asleep
      if (isMuch || nowNs - lastNs > QUIET_NS) { // it may park for long
        thread.wakeIfParked();
      }
    }
    lastNs = nowNs;
  }

  /** As {@link #follow}, after a log call's turn: the flusher's next turn may come too late. */
  void followCall() {
    if (ending) {
      thread.wake();
    }
  }

  /** Only committed records free space, and the policy may not commit soon. */
  void freeSpace() {
    shipper.requestCommit();
    thread.wakeIfParked();
  }

  /** The JVM is ending. */
  void prepareForShutdown() {
    ending = true;
    requestCommit();
  }

  private void requestCommit() {
    shipper.requestCommit();
    thread.wake();
  }

  /**
   * Waits until the fate of so many events is known. While the JVM is ending, a log that fails is
   * not waited for if a later start can ship.
   *
   * @return whether it is
   */
  boolean await(long events, EventSink passedOnBy, TimeLimit limit) {
    boolean unused =
        limit.await(
            () -> {
              boolean isHopeless = ending && account.log.isFailing() && passedOnBy.survivesKill();
              boolean isOver =
                  account.handled() >= events || ended || isHopeless || endsWithoutLog();
              if (!isOver) {
                requestCommit();
              }
              return isOver;
            });
    return account.handled() >= events || endsWithoutLog();
  }

  /** Whether the JVM ends, and what is spooled is another process's concern. */
  boolean endsWithoutLog() {
    return ending && shipper.isElsewhere();
  }

  /** Whether another process ships. */
  boolean isElsewhere() {
    return shipper.isElsewhere();
  }

  boolean hasEnded() {
    return ended;
  }

  /** Ends shipping, about within this time. Called by the thread that stops the appender. */
  void stop(long timeoutNs) {
    thread.requestStop();
    if (!thread.join(Math.max(MIN_STOP_NS, timeoutNs))) {
      shipper.timeOut();
      thread.wake();
      thread.join(MIN_STOP_NS);
    }
    ended = true;
  }
}
