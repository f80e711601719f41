package dev.forebay.benchmarks.lab.host;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Takes away what was started for one run, newest first, once: at its end, or on the shutdown
 * thread when the lab is interrupted.
 */
final class Cleanup implements AutoCloseable {

  /** Starts something that must be closed. */
  interface Start<T extends AutoCloseable, E extends Exception> {
    T start() throws E;
  }

  /** Guarded by this. */
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();

  private final Thread hook = new Thread(this::undo, "lab-cleanup");

  /** Written by the first thread that closes, read by all. */
  private volatile boolean isClosed;

  private Cleanup() {}

  /** A cleanup that also happens when the JVM is told to end. */
  static Cleanup open() {
    Cleanup cleanup = new Cleanup();
    Runtime.getRuntime().addShutdownHook(cleanup.hook);
    return cleanup;
  }

  /**
   * Starts something unless the cleanup has begun. Starting and remembering are one step to {@link
   * #close}, so nothing that runs is ever unknown to it.
   */
  synchronized <T extends AutoCloseable, E extends Exception> T own(Start<T, E> start) throws E {
    requireOpen();
    T started = start.start();
    owned.push(started);
    return started;
  }

  /** Throws once the cleanup has begun: what fails from then on is its doing. */
  void requireOpen() {
    if (isClosed) {
      throw new BrokenOffException();
    }
  }

  @Override
  public void close() {
    undo();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, the hook runs or has run, and finds nothing to do.
    }
  }

  private void undo() {
    isClosed = true;
    synchronized (this) {
      while (!owned.isEmpty()) {
        try {
          owned.pop().close();
        } catch (Exception e) {
          System.err.println("Cleaning up: " + e);
        }
      }
    }
  }
}
