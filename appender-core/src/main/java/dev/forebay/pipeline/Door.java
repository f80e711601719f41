package dev.forebay.pipeline;

import java.nio.channels.ServerSocketChannel;

/** Where others can reach an appender: a socket that the {@link Watcher} waits at. */
public interface Door {

  /** Bound, and not blocking. Its owner closes it, then has the watcher look. */
  ServerSocketChannel channel();

  /**
   * Someone waits at the door. The watcher's thread, so this must not block or call foreign code.
   * The watcher does not wait at this door again until {@code again} is run, by any thread.
   */
  void knocked(Runnable again);
}
