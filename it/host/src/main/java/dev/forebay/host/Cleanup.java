package dev.forebay.host;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Takes away what was started for one run, newest first, once: at its end, or on the shutdown
 * thread when the JVM is told to end.
 */
public final class Cleanup implements AutoCloseable {

  /** Starts something that must be closed. */
  public interface Start<T extends AutoCloseable, E extends Exception> {
    T start() throws E;
  }

  /** Guarded by this. */
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();

  private final Thread hook = new Thread(this::closeAndReport, "cleanup");

  /** Written by the first thread that closes, read by all. */
  private volatile boolean isClosed;

  /** For a program with a shutdown hook of its own that closes this. */
  public Cleanup() {}

  /** A cleanup that also happens when the JVM is told to end. */
  public static Cleanup open() {
    Cleanup cleanup = new Cleanup();
    Runtime.getRuntime().addShutdownHook(cleanup.hook);
    return cleanup;
  }

  /**
   * Starts something unless the cleanup has begun. Starting and remembering are one step to {@link
   * #close}, so nothing that runs is ever unknown to it.
   */
  public synchronized <T extends AutoCloseable, E extends Exception> T own(Start<T, E> start)
      throws E {
    requireOpen();
    T started = start.start();
    owned.push(started);
    return started;
  }

  /** Throws once the cleanup has begun: whatever fails from then on fails because of it. */
  public void requireOpen() {
    if (isClosed) {
      throw new BrokenOffException();
    }
  }

  /** Whether the cleanup has begun. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Closes everything, and then throws what failed first. */
  @Override
  public void close() throws IOException {
    isClosed = true;
    try {
      closeAll();
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is ending; the hook runs or has run, and finds nothing to do.
      }
    }
  }

  /** Closes everything; what fails is reported on standard error. */
  public void closeAndReport() {
    try {
      close();
    } catch (IOException e) {
      System.err.println("Cleaning up: " + e.getCause());
      for (Throwable further : e.getSuppressed()) {
        System.err.println("Cleaning up: " + further);
      }
    }
  }

  private synchronized void closeAll() throws IOException {
    IOException failure = null;
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = new IOException("Not everything could be cleaned up", e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
