package dev.forebay.pipeline;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Patience;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs each turn of a reporter on a daemon thread of its own. What these threads log may enter a
 * pipeline: they carry no events.
 */
final class TurnThreads implements Executor {

  private final String name;

  /** That of the thread that starts the appender, for listeners that load classes. */
  private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

  /** The newest one. Written by whoever begins a turn, one at a time. */
  private volatile @Nullable Thread newest;

  TurnThreads(String name) {
    this.name = name;
  }

  @Override
  public void execute(Runnable turn) {
    Thread thread = new TurnThread(turn, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    newest = thread;
    thread.start();
  }

  /**
   * Waits for the end of the newest thread. An interrupt does not shorten the wait; the interrupt
   * flag stays set.
   */
  void join(long timeoutNs, NanoClock clock) {
    Thread last = newest;
    Patience.await(() -> last == null || !last.isAlive(), timeoutNs, clock);
  }

  /** A thread that an interrupt only wakes, as those of agents. */
  private static final class TurnThread extends Thread {

    TurnThread(Runnable turn, String name) {
      super(null, turn, name, 0, false);
    }

    @Override
    public void interrupt() {
      LockSupport.unpark(this);
    }
  }
}
