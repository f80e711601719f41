package dev.forebay.agent;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says messages in order, on a daemon thread that lives while there are any: who hears them may
 * block, like a pipe that nobody reads, and who has them must not wait for that. Any thread.
 */
public final class Speaker implements Runnable {

  static final int MAX_WAITING = 100;

  private final String name;
  private final Consumer<String> surplus;

  /** Guarded by itself, like the next. */
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  /** So many found no room. All are counted until those that wait are said. */
  private long tooMany;

  /** Null if there is nothing to say. Written under the same lock. */
  private volatile @Nullable Thread thread;

  /**
   * @param name of the thread
   * @param surplus called by it when there were too many messages; may block, as messages may
   */
  public Speaker(String name, Consumer<String> surplus) {
    this.name = name;
    this.surplus = surplus;
  }

  /** Has this run soon. Never blocks. */
  public void say(Runnable message) {
    synchronized (waiting) {
      if (tooMany > 0 || waiting.size() >= MAX_WAITING) {
        tooMany++;
      } else {
        waiting.add(message);
      }
      if (thread == null) {
        Thread fresh = new Thread(null, this, name, 0, false);
        fresh.setDaemon(true);
        try {
          fresh.start();
          thread = fresh;
        } catch (OutOfMemoryError e) {
          // No memory for a thread: it is said with the next message.
        }
      }
    }
  }

  @Override
  public void run() {
    for (Runnable next = next(); next != null; next = next()) {
      try {
        next.run();
      } catch (Throwable t) {
        // Foreign code, and nowhere left to report to.
      }
    }
  }

  private @Nullable Runnable next() {
    synchronized (waiting) {
      Runnable next = waiting.poll();
      if (next == null && tooMany > 0) {
        String text = "... and %d messages more, while earlier ones waited".formatted(tooMany);
        tooMany = 0;
        return () -> surplus.accept(text);
      }
      if (next == null) {
        thread = null;
      }
      return next;
    }
  }

  /** Whether the current thread is the one that says messages. */
  public boolean isSpeaking() {
    return Thread.currentThread() == thread;
  }

  /** Waits until all is said, for at most this long; not on its own thread. */
  public void await(long timeoutNs) {
    if (thread != null && !isSpeaking()) {
      boolean unused = NanoClock.SYSTEM.await(() -> thread == null, timeoutNs);
    }
  }
}
