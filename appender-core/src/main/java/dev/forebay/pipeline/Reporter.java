package dev.forebay.pipeline;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.observe.AppenderMXBean;
import dev.forebay.observe.FailureNotifier;
import dev.forebay.observe.JmxRegistration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches the carrier threads and replaces those that an Error has ended, notifies the listeners,
 * and registers the appender with JMX. A listener that blocks delays nothing else. Nothing watches
 * the reporter itself, so no Error may end its thread. It sleeps while there is nothing to report:
 * a drop, a failure or the end of a thread wakes it.
 */
final class Reporter implements Agent {

  /** A dead thread is noticed within this time, nanoseconds. */
  static final long WATCH_NS = 1_000_000_000;

  private static final long LEAVE_POLL_NS = 200_000;

  private final FailureNotifier notifier;
  private final JmxRegistration jmx;
  private final AppenderMXBean bean;
  private final PipelineContext context;
  private final long intervalNs;
  private final List<AgentThread> watched = new CopyOnWriteArrayList<>();

  /** Set once, by the thread that stops the appender. */
  private volatile boolean unregisterRequested;

  /** Opened by the reporter's thread once the registration has succeeded or failed. */
  private final CountDownLatch registered = new CountDownLatch(1);

  /** Written by the reporter's thread, once; read by the thread that stops the appender. */
  private volatile boolean unregistered;

  /** Reports requested out of turn; written by the shutdown hook. */
  private volatile int reportsRequested;

  /** Of these, those made; written by the reporter's thread. */
  private volatile int reportsMade;

  /** Written by the reporter's thread. */
  private long lastReportNs;

  /** Whether there was nothing to report in the last turn. Reporter's thread only. */
  private boolean rested;

  Reporter(
      FailureNotifier notifier,
      long intervalNs,
      JmxRegistration jmx,
      AppenderMXBean bean,
      PipelineContext context) {
    this.notifier = notifier;
    this.intervalNs = intervalNs;
    this.jmx = jmx;
    this.bean = bean;
    this.context = context;
    this.lastReportNs = context.clock().nanoTime();
  }

  void watch(AgentThread thread) {
    watched.add(thread);
  }

  /**
   * Waits until the appender is registered. An interrupt ends the wait; the interrupt flag stays
   * set.
   *
   * @param timeoutNs at most this long
   */
  void awaitRegistered(long timeoutNs) {
    try {
      boolean unused = registered.await(timeoutNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Requests that the appender be unregistered and waits for it. Called by the thread that stops
   * the appender.
   *
   * @param own the reporter's thread
   * @param timeoutNs at most this long: a notification listener may hang
   */
  void unregisterFromJmx(AgentThread own, long timeoutNs) {
    NanoClock clock = context.clock();
    long startNs = clock.nanoTime();
    unregisterRequested = true;
    own.wake();
    boolean interrupted = false;
    while (!unregistered && clock.nanoTime() - startNs < timeoutNs) {
      LockSupport.parkNanos(this, LEAVE_POLL_NS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onStart() {
    guarded(() -> jmx.open(bean));
    registered.countDown();
    guarded(notifier::started);
  }

  /** Runs a step that must not end this thread. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) { // for example out of memory; the next step still runs
      warn(t);
    }
  }

  @Override
  public int doWork() {
    if (rested) {
      rested = false;
      skipIntervals();
    }
    if (unregisterRequested && !unregistered) {
      guarded(jmx::close);
      unregistered = true;
    }
    guarded(this::replaceTheDead);
    try {
      return report();
    } catch (Throwable t) { // as in guarded
      warn(t);
      return 0;
    }
  }

  /** Sleeps without limit while there is nothing to report, to repeat or to watch. */
  @Override
  public long sleepNs(long nowNs) {
    try {
      rested =
          unregistered == unregisterRequested
              && hasMadeReports()
              && !notifier.hasNews()
              && watched.stream().noneMatch(AgentThread::isDead);
      return rested ? UNTIL_WOKEN : 0;
    } catch (Throwable t) { // as in guarded; it polls instead
      return 0;
    }
  }

  /**
   * Counts the intervals that went by during a sleep as if each had ended with a report of nothing.
   * So what follows the first drop is reported along with it, not an interval later.
   */
  private void skipIntervals() {
    guarded(
        () -> {
          long passedNs = context.clock().nanoTime() - lastReportNs;
          lastReportNs += passedNs / intervalNs * intervalNs;
        });
  }

  private void warn(Throwable failure) {
    context.warnings().accept("The reporter failed", failure);
  }

  private void replaceTheDead() {
    for (AgentThread thread : watched) {
      if (thread.reviveIfDead()) {
        context.warnings().accept("Replaced a thread that had died: " + thread, null);
      }
    }
  }

  private int report() {
    int asked = reportsRequested; // read before the drops are
    long nowNs = context.clock().nanoTime();
    if (nowNs - lastReportNs < intervalNs && asked == reportsMade) {
      return 0;
    }
    lastReportNs = nowNs;
    int calls = notifier.report();
    reportsMade = asked;
    return calls;
  }

  /** Requests a report in the next turn, whatever the interval. One thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void requestReport() {
    reportsRequested++;
  }

  /** Whether all requested reports are made. */
  boolean hasMadeReports() {
    return reportsMade == reportsRequested;
  }

  @Override
  public void onClose() {
    guarded(notifier::stopped);
    guarded(jmx::close);
  }
}
