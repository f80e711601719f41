package dev.forebay.agent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one {@link Agent} on a daemon thread of its own: the loop, the parking, the waking and the
 * bounded stop.
 *
 * <p>An {@link Exception} out of the work is reported and the loop goes on. An {@link Error} ends
 * the thread; {@link #reviveIfDead} starts another one that goes on with the same agent. Whatever
 * the first or the last step throws is reported, and the thread goes on.
 *
 * <p>The thread cannot be interrupted: an interrupt would close the file it is writing, and block
 * whoever interrupts until a stalled disk returns. {@code Thread.interrupt} on it only wakes it.
 */
public final class AgentThread {

  private static final long FINISH_PARK_NS = 1_000_000;

  /** Threads that {@link #join} starts for work that ends one after the other by an Error. */
  private static final int MAX_REVIVALS = 3;

  private final Agent agent;
  private final ParkPolicy parkPolicy;
  private final String name;
  private final NanoClock clock;
  private final Consumer<Throwable> errors;
  private final boolean mayLog;
  private final WakeSignal wakeSignal = new WakeSignal();

  /** Written by {@link #start} and {@link #reviveIfDead}, which exclude each other. */
  private volatile @Nullable Thread thread;

  /** Raised once, by {@link #requestStop}. */
  private volatile boolean stopRequested;

  /** Written by the agent's thread, last; read by whoever joins. */
  private volatile boolean finished;

  /** Written by the agent's thread. */
  private boolean started;

  /**
   * @param agent the work
   * @param parkPolicy how long to park between two calls; called by the agent's thread only
   * @param name name of the thread
   * @param clock monotonic clock
   * @param errors told of what the work throws, on the agent's thread; must not throw
   * @param mayLog whether log events of this thread may enter a pipeline; false for threads whose
   *     work is to carry events, which would feed themselves
   */
  public AgentThread(
      Agent agent,
      ParkPolicy parkPolicy,
      String name,
      NanoClock clock,
      Consumer<Throwable> errors,
      boolean mayLog) {
    this.agent = agent;
    this.parkPolicy = parkPolicy;
    this.name = name;
    this.clock = clock;
    this.errors = errors;
    this.mayLog = mayLog;
  }

  /** Whether the calling thread carries events, so that what it logs must not enter a pipeline. */
  public static boolean isCurrentThreadCarrier() {
    return Thread.currentThread() instanceof Carrier;
  }

  /** Starts the thread. Call once. */
  public synchronized void start() {
    startThread();
  }

  private void startThread() {
    Thread fresh = mayLog ? new Worker(this, name) : new Carrier(this, name);
    fresh.setDaemon(true);
    fresh.setUncaughtExceptionHandler((t, e) -> errors.accept(e));
    thread = fresh;
    fresh.start();
  }

  /**
   * Starts another thread when an Error has ended the last one.
   *
   * @return whether one was started
   */
  public synchronized boolean reviveIfDead() {
    Thread current = thread;
    if (current == null || current.isAlive() || finished) {
      return false;
    }
    startThread();
    return true;
  }

  /** Has the work called soon, even if it was about to park. Any thread; one unpark per park. */
  public void wake() {
    if (wakeSignal.raise()) {
      LockSupport.unpark(thread);
    }
  }

  /** As {@link #wake}, at less cost: a wake that meets a thread about to park is lost. */
  public void wakeIfParked() {
    if (wakeSignal.raiseIfParked()) {
      LockSupport.unpark(thread);
    }
  }

  /** Asks the thread to finish its work and end. Any thread; idempotent. */
  public void requestStop() {
    stopRequested = true;
    wake();
  }

  /**
   * Waits until the thread has ended after {@link #requestStop}, and replaces it when an Error ends
   * it before its work is finished. An interrupt of the caller neither shortens the wait nor is
   * lost.
   *
   * @param timeoutNs at most this long, nanoseconds
   * @return whether the agent has finished and closed
   */
  public boolean join(long timeoutNs) {
    boolean interrupted = false;
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long leftNs = timeoutNs;
    int revivals = 0;
    Thread current = thread;
    while (!finished && current != null && current != Thread.currentThread() && leftNs > 0) {
      if (current.isAlive()) {
        interrupted |= joinOnce(current, leftNs);
      } else if (revivals++ == MAX_REVIVALS) {
        break;
      } else {
        reviveIfDead();
      }
      current = thread;
      leftNs = deadlineNs - clock.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return finished;
  }

  /** Whether the wait was interrupted. */
  private static boolean joinOnce(Thread other, long timeoutNs) {
    try {
      other.join(timeoutNs / 1_000_000, (int) (timeoutNs % 1_000_000));
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private void run() {
    if (!started) {
      started = true;
      guarded(agent::onStart);
    }
    while (!stopRequested) {
      wakeSignal.beginTurn();
      int workDone = 0;
      try {
        workDone = agent.doWork();
      } catch (Exception e) {
        errors.accept(e);
      }
      park(parkPolicy.parkNs(workDone, clock.nanoTime()));
    }
    boolean done = false;
    while (!done) {
      wakeSignal.beginTurn();
      try {
        done = agent.finish();
      } catch (Exception e) {
        errors.accept(e);
      }
      if (!done) {
        park(FINISH_PARK_NS);
      }
    }
    guarded(agent::onClose);
    finished = true;
  }

  /** A first or last step is taken once, and must not keep the others from being taken. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) { // an Error too: the next thread would not take this step again
      errors.accept(t);
    }
  }

  private void park(long parkNs) {
    if (parkNs <= 0) {
      return;
    }
    if (wakeSignal.beginPark()) {
      LockSupport.parkNanos(this, parkNs);
    }
    wakeSignal.endPark();
  }

  /** A thread that an interrupt only wakes. */
  private static class Worker extends Thread {

    private final AgentThread owner;

    Worker(AgentThread owner, String name) {
      super(null, null, name, 0, false);
      this.owner = owner;
    }

    @Override
    public void run() {
      owner.run();
    }

    @Override
    public void interrupt() {
      LockSupport.unpark(this);
    }
  }

  /** A {@link Worker} that carries events. */
  private static final class Carrier extends Worker {

    Carrier(AgentThread owner, String name) {
      super(owner, name);
    }
  }
}
