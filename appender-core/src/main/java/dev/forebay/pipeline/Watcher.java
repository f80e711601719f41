package dev.forebay.pipeline;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.agent.ParkPolicy;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One thread that watches over all appenders: it replaces threads of theirs that have ended before
 * their work, and begins their reports when they are due. It calls no foreign code, so that no
 * appender can hold up another. While there is nothing to report and no flusher is awake, it looks
 * once a minute: a flusher that wakes up wakes it.
 */
final class Watcher implements Agent, ParkPolicy, PrivilegedAction<Boolean> {

  /** A dead thread is noticed within this time while a flusher is awake, nanoseconds. */
  static final long WATCH_NS = 1_000_000_000;

  /** And within this time otherwise. */
  static final long QUIET_WATCH_NS = 60 * WATCH_NS;

  static final String NAME = "forebay-watcher";

  private final List<Reporter> reporters = new CopyOnWriteArrayList<>();

  private final AgentThread thread;

  Watcher(NanoClock clock) {
    this.thread = new AgentThread(this, this, NAME, clock, this::failed, true);
  }

  /**
   * Starts the thread.
   *
   * @throws OutOfMemoryError if the system has no thread left
   */
  @SuppressWarnings("removal") // needed until JDK 17 is no longer supported
  Watcher start() {
    boolean unused = AccessController.doPrivileged(this);
    return this;
  }

  /**
   * A thread keeps the access rights, and with them the class loaders, of all code that it was
   * started from: an application that outlives it.
   */
  @Override
  public Boolean run() {
    thread.start();
    return true;
  }

  /** This thread serves several applications, and outlives the one that has started it. */
  @Override
  public void onStart() {
    Thread.currentThread().setContextClassLoader(Watcher.class.getClassLoader());
  }

  void add(Reporter reporter) {
    reporters.add(reporter);
  }

  /** Whether it was the last one. */
  boolean remove(Reporter reporter) {
    return reporters.remove(reporter) && reporters.isEmpty();
  }

  /** Ends the thread. Waits for at most {@code timeoutNs}. */
  void stop(long timeoutNs) {
    thread.requestStop();
    thread.join(timeoutNs);
  }

  /** Causes a look soon. Any thread, but not in a log call. */
  void wake() {
    thread.wake();
  }

  /** Causes a look if the thread sleeps. Not in a log call: it may need a system call. */
  void wakeIfAsleep() {
    thread.wakeIfAsleep();
  }

  /** Wakes nobody: what fails at each look must not cause the next one. */
  private void failed(Throwable cause) {
    for (Reporter reporter : reporters) {
      reporter.failed(cause);
    }
  }

  @Override
  public int doWork() {
    for (Reporter reporter : reporters) {
      reporter.look();
    }
    return 0;
  }

  @Override
  public long sleepNs(long nowNs) {
    for (Reporter reporter : reporters) {
      if (!reporter.isQuiet()) {
        return 0;
      }
    }
    return QUIET_WATCH_NS;
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    long parkNs = WATCH_NS;
    for (Reporter reporter : reporters) {
      parkNs = Math.min(parkNs, reporter.lookEveryNs());
    }
    return parkNs;
  }

  @Override
  public boolean maySleep(long nowNs) {
    return true;
  }
}
