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
 * One thread that watches over all appenders: it replaces threads of theirs that an Error has
 * ended, and begins their reports when they are due. It calls no foreign code, so that no appender
 * can hold up another. It sleeps while there is nothing to report and no flusher is awake: a
 * flusher that wakes up wakes it, the end of a thread does, or someone who knocks at a {@link
 * Door}. If an Error ends it, another takes its place.
 */
final class Watcher implements Agent, ParkPolicy {

  /** A dead thread is noticed within this time, nanoseconds. */
  static final long WATCH_NS = 1_000_000_000;

  static final String NAME = "forebay-watcher";

  private final List<Reporter> reporters = new CopyOnWriteArrayList<>();
  private final Doors doors = new Doors();

  private final AgentThread thread;

  /** Set once, when the last reporter is gone. */
  private volatile boolean stopped;

  Watcher(NanoClock clock) {
    this.thread = new AgentThread(this, this, NAME, clock, this::failed, true, doors);
    thread.whenDead(this::wake);
  }

  /**
   * Starts the thread.
   *
   * @throws OutOfMemoryError if the system has no thread left
   */
  Watcher start() {
    privileged(thread::start);
    return this;
  }

  /**
   * A thread keeps the access rights, and with them the class loaders, of all code that it was
   * started from: an application that outlives it.
   */
  @SuppressWarnings("removal") // needed until JDK 17 is no longer supported
  private static void privileged(Runnable start) {
    AccessController.doPrivileged(
        (PrivilegedAction<Boolean>)
            () -> {
              start.run();
              return true;
            });
  }

  /** This thread serves several applications, and outlives the one that has started it. */
  @Override
  public void onStart() {
    Thread.currentThread().setContextClassLoader(Watcher.class.getClassLoader());
  }

  void add(Reporter reporter) {
    reporters.add(reporter);
  }

  /** Waits at a door too. Any thread, but not in a log call. */
  void add(Door door) {
    doors.add(door);
    wake();
  }

  /** Keeps its thread from holding up the JVM's end. Any thread, but not in a log call. */
  void prepareForShutdown() {
    doors.prepareForShutdown();
    wake();
  }

  /** Whether it was the last one. */
  boolean remove(Reporter reporter) {
    return reporters.remove(reporter) && reporters.isEmpty();
  }

  /** Ends the thread. Waits for at most {@code timeoutNs}. */
  void stop(long timeoutNs) {
    stopped = true;
    thread.requestStop();
    thread.join(timeoutNs);
  }

  /** Causes a look soon. Any thread, but not in a log call: it replaces a dead thread. */
  void wake() {
    if (thread.isDead() && !stopped) {
      privileged(thread::reviveIfDead);
    }
    thread.wake();
  }

  /** Causes a look if the thread sleeps. Not in a log call: it may need a system call. */
  void wakeIfAsleep() {
    thread.wakeIfAsleep();
  }

  /** Wakes nobody: what fails at each look must not cause the next one. */
  private void failed(Throwable cause) {
    reporters.forEach(reporter -> reporter.failed(cause));
  }

  @Override
  public int doWork() {
    reporters.forEach(Reporter::look);
    doors.look(this::wake);
    return 0;
  }

  @Override
  public long sleepNs(long nowNs) {
    boolean isQuiet = doors.isSettled() && reporters.stream().allMatch(Reporter::isQuiet);
    return isQuiet ? UNTIL_WOKEN : 0;
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    return reporters.stream().mapToLong(Reporter::lookEveryNs).min().orElse(WATCH_NS);
  }

  @Override
  public boolean maySleep(long nowNs) {
    return true;
  }

  @Override
  public void onClose() {
    doors.close();
  }
}
