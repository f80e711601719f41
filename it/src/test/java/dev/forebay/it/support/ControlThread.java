package dev.forebay.it.support;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread of this process that logs nothing and touches no disk, and only wants to get up every
 * few milliseconds. What keeps it from that, no processor or a stopped process, keeps others too.
 */
final class ControlThread {

  private static final long STEP_NS = 20_000_000;

  /** When it got up last. Written by the thread, as the next. */
  private static volatile long upNs = System.nanoTime();

  private static volatile long keptNs;

  static {
    Thread thread = new Thread(ControlThread::run, "control");
    thread.setDaemon(true);
    thread.start();
  }

  private ControlThread() {}

  private static void run() {
    while (true) {
      LockSupport.parkNanos(STEP_NS);
      long nowNs = System.nanoTime();
      long keptBeforeNs = keptNs;
      keptNs = keptBeforeNs + Math.max(0, nowNs - upNs - STEP_NS);
      upNs = nowNs;
    }
  }

  /** For how long it was kept in all, up to the last time it got up. */
  static long keptNs() {
    return keptNs;
  }

  /** The same with what keeps it now. */
  static long keptUntilNowNs() {
    return keptNs + Math.max(0, System.nanoTime() - upNs - STEP_NS);
  }
}
