package dev.forebay;

import org.jspecify.annotations.Nullable;

/**
 * The thread that stops an appender in place of a thread that is inside a log call. It lives as
 * long as that stop, which is bounded like any other.
 */
public final class BackgroundStop {

  /** Of the newest stop that was handed over; written by whoever stops, read by whoever waits. */
  private volatile @Nullable Thread thread;

  /** Nothing to stop yet. */
  public BackgroundStop() {}

  /**
   * Has a stop made by another thread. Never waits, unless there can be no other thread.
   *
   * @param name of the thread
   * @param stop to be run
   */
  public void start(String name, Runnable stop) {
    Thread fresh = new Thread(null, stop, name, 0, false);
    fresh.setDaemon(true);
    try {
      fresh.start();
      thread = fresh;
    } catch (OutOfMemoryError e) { // no room for a thread: late is better than never
      stop.run();
    }
  }

  /**
   * Waits until a stop that was handed over has ended; returns at once when there is none. An
   * interrupt neither shortens the wait nor is lost.
   */
  public void await() {
    Thread stopping = thread;
    if (stopping == null || stopping == Thread.currentThread()) {
      return;
    }
    boolean interrupted = false;
    while (stopping.isAlive()) {
      try {
        stopping.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    thread = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
