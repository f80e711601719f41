package dev.forebay;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Patience;
import org.jspecify.annotations.Nullable;

/**
 * A stop on its own thread, for callers inside a log call, which must not wait. It is bounded like
 * any other stop.
 */
public final class BackgroundStop {

  /** Thread of the newest stop; written by {@link #start}, read by {@link #await}. */
  private volatile @Nullable Thread thread;

  /** Creates an object without a stop. */
  public BackgroundStop() {}

  /**
   * Runs a stop on another thread. Waits only if that thread cannot be created.
   *
   * @param name name of the thread
   * @param stop the stop
   */
  public void start(String name, Runnable stop) {
    Thread fresh = new Thread(null, stop, name, 0, false);
    fresh.setDaemon(true);
    try {
      fresh.start();
      thread = fresh;
    } catch (OutOfMemoryError e) { // no memory for a thread
      stop.run();
    }
  }

  /**
   * Waits for the newest stop, if there is one, but not inside a log call. An interrupt does not
   * shorten the wait; the interrupt flag stays set.
   */
  public void await() {
    Thread stopping = thread;
    if (stopping == null || stopping == Thread.currentThread() || LogCall.isOnThisThread()) {
      return;
    }
    Patience.await(() -> !stopping.isAlive(), Long.MAX_VALUE, NanoClock.SYSTEM);
    thread = null;
  }
}
