package dev.forebay.pipeline;

import dev.forebay.agent.NanoClock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the one {@link Watcher} while an appender runs, and none otherwise, so that an undeployed
 * application leaves no thread behind. Thread-safe; nothing blocks with the lock held.
 */
final class Watchers {

  /** The instance shared by all appenders of a process that one class loader loads. */
  static final Watchers OF_PROCESS = new Watchers(() -> new Watcher(NanoClock.SYSTEM).start());

  private final Supplier<Watcher> newWatcher;

  /** Guarded by this. */
  private @Nullable Watcher current;

  /**
   * @param newWatcher makes one that looks; may throw an OutOfMemoryError instead
   */
  Watchers(Supplier<Watcher> newWatcher) {
    this.newWatcher = newWatcher;
  }

  /**
   * Has a reporter watched.
   *
   * @throws OutOfMemoryError if the system has no thread left
   */
  synchronized Watcher add(Reporter reporter) {
    Watcher watcher = current == null ? newWatcher.get() : current;
    watcher.add(reporter);
    current = watcher;
    return watcher;
  }

  /** Ends that; waits for at most {@code timeoutNs} for the thread if it was the last one. */
  void remove(Reporter reporter, Watcher watcher, long timeoutNs) {
    synchronized (this) {
      if (!watcher.remove(reporter)) {
        return;
      }
      current = null; // the next start makes another: two threads must not share a reporter
    }
    watcher.stop(timeoutNs);
  }
}
