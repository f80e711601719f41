package dev.forebay.it.demo;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Undoes what the demo started, newest first, once: at its end, or on the shutdown thread when it
 * is interrupted.
 */
final class Cleanup implements AutoCloseable {

  /** Starts something that must be undone. */
  interface Start<T, E extends Exception> {
    T start() throws E;
  }

  /** Undoes it. */
  interface Undo {
    void undo() throws Exception;
  }

  /** Guarded by this. */
  private final Deque<Undo> undos = new ArrayDeque<>();

  /** Written by the first thread that closes, read by all. */
  private volatile boolean isClosed;

  /**
   * Starts something unless the cleanup has begun. Starting and remembering are one step to {@link
   * #close}, so nothing that runs is ever unknown to it.
   */
  synchronized <T extends AutoCloseable, E extends Exception> T own(Start<T, E> start) throws E {
    requireOpen();
    T started = start.start();
    undos.push(started::close);
    return started;
  }

  /** Remembers one more step, to be done before those remembered so far. */
  synchronized void before(Undo undo) {
    requireOpen();
    undos.push(undo);
  }

  /** Whether the cleanup has begun; what fails from then on is its doing. */
  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    undoAll();
  }

  private synchronized void undoAll() {
    while (!undos.isEmpty()) {
      try {
        undos.pop().undo();
      } catch (Exception e) {
        System.err.println("Cleaning up: " + e);
      }
    }
  }

  /** Throws once the cleanup has begun: what the demo looks at from then on is being removed. */
  void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("The demo is ending");
    }
  }
}
