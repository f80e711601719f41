package dev.forebay.it.gatling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a run started and set on the machine: undone in reverse order at its end, however it ends,
 * and also when the JVM of the tests is told to end.
 */
final class GatlingCleanup implements AutoCloseable {

  private final Thread hook = new Thread(this::undoAtTheEnd, "gatling-cleanup");

  /** Guarded by this. */
  private final Deque<AutoCloseable> undos = new ArrayDeque<>();

  GatlingCleanup() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** From now on this is closed with the others. */
  synchronized <T extends AutoCloseable> T own(T thing) {
    undos.push(thing);
    return thing;
  }

  private void undoAtTheEnd() {
    try {
      undo();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // printed by the JVM
    }
  }

  /** Undoes all, and then says what failed first. */
  private synchronized void undo() throws IOException {
    IOException failure = null;
    while (!undos.isEmpty()) {
      try {
        undos.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = new IOException("not undone", e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      undo();
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM ends, and the hook has found nothing to do or does it.
      }
    }
  }
}
