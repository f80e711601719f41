package dev.forebay.agent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one {@link Agent} on its own daemon thread: the loop, parking, waking and the bounded stop.
 *
 * <p>An {@link Exception} from the work is reported and the loop continues. An {@link Error} ends
 * the thread; {@link #reviveIfDead} starts another that continues with the same agent. Anything
 * thrown by the first or last step is reported, and the thread continues.
 *
 * <p>The thread cannot be interrupted: an interrupt would close the file it is writing, and block
 * the interrupting thread until a stalled disk returns. {@code Thread.interrupt} on it only wakes
 * it.
 */
public final class AgentThread {

  private static final long FINISH_PARK_NS = 1_000_000;

  /** Threads that {@link #join} starts, at most, for work that Errors keep ending. */
  private static final int MAX_REVIVALS = 3;

  private final Agent agent;
  private final ParkPolicy parkPolicy;
  private final String name;
  private final NanoClock clock;
  private final Consumer<Throwable> errors;
  private final boolean mayLog;
  private final Parking parking;
  private final WakeSignal wakeSignal = new WakeSignal();
  private final SleepFlag sleepFlag = new SleepFlag();

  /** Written by {@link #start} and {@link #reviveIfDead}, which exclude each other. */
  private volatile @Nullable Thread thread;

  /** Set once, by {@link #requestStop}. */
  private volatile boolean stopRequested;

  /** Written by the agent's thread, last; read by {@link #join}. */
  private volatile boolean finished;

  /** Whether an Error has ended the thread. Written by it, last; cleared before another starts. */
  private volatile boolean dead;

  /** Set before the start; called by the agent's thread when an Error ends it. */
  private volatile Runnable onDeath = () -> {};

  /** Set before the start; called by the agent's thread after each sleep. */
  private volatile Runnable onAwake = () -> {};

  /** Written by the agent's thread. */
  private boolean started;

  /**
   * @param agent the work
   * @param parkPolicy how long to park between two calls; called by the agent's thread only
   * @param name name of the thread
   * @param clock monotonic clock
   * @param errors receives what the work throws, on the agent's thread; must not throw
   * @param mayLog whether events that this thread logs may enter a pipeline; false for threads that
   *     carry events, which would feed themselves
   */
  public AgentThread(
      Agent agent,
      ParkPolicy parkPolicy,
      String name,
      NanoClock clock,
      Consumer<Throwable> errors,
      boolean mayLog) {
    this(agent, parkPolicy, name, clock, errors, mayLog, Parking.OF_THREADS);
  }

  /**
   * As the other one.
   *
   * @param parking how the thread waits
   */
  public AgentThread(
      Agent agent,
      ParkPolicy parkPolicy,
      String name,
      NanoClock clock,
      Consumer<Throwable> errors,
      boolean mayLog,
      Parking parking) {
    this.agent = agent;
    this.parkPolicy = parkPolicy;
    this.name = name;
    this.clock = clock;
    this.errors = errors;
    this.mayLog = mayLog;
    this.parking = parking;
  }

  /**
   * Whether the current thread carries events, so that events it logs must not enter a pipeline.
   */
  public static boolean isCurrentThreadCarrier() {
    return Thread.currentThread() instanceof Carrier;
  }

  /**
   * Starts the thread. Call once.
   *
   * @throws OutOfMemoryError if the system has no thread left; {@link #join} then does not wait
   */
  public synchronized void start() {
    startThread();
  }

  private void startThread() {
    Thread fresh = mayLog ? new Worker(this, name) : new Carrier(this, name);
    fresh.setDaemon(true);
    fresh.setUncaughtExceptionHandler((t, e) -> errors.accept(e));
    Thread before = thread;
    if (before != null) {
      fresh.setContextClassLoader(before.getContextClassLoader());
    }
    thread = fresh; // first, for threads that wake it
    dead = false;
    boolean begun = false;
    try {
      fresh.start();
      begun = true;
    } finally {
      if (!begun) {
        dead = before != null;
        thread = before;
      }
    }
  }

  /**
   * Starts another thread if an Error has ended the last one.
   *
   * @return whether one was started
   * @throws OutOfMemoryError if the system has no thread left; a later call tries again
   */
  public synchronized boolean reviveIfDead() {
    boolean revives = dead;
    if (revives) {
      startThread();
    }
    return revives;
  }

  /**
   * Sets what to run when an Error ends the thread; {@link #reviveIfDead} may replace it a moment
   * later. Call before start.
   */
  public void whenDead(Runnable action) {
    onDeath = action;
  }

  /**
   * Sets what the thread runs each time it has lowered its {@link SleepFlag}, before its next turn.
   * Call before start; must neither block nor throw.
   */
  public void whenAwake(Runnable action) {
    onAwake = action;
  }

  /** Whether an Error has ended the thread, or is just ending it, and no other replaces it yet. */
  public boolean isDead() {
    return dead;
  }

  /** Whether the thread sleeps; then whoever hands it work must {@link #wake} it. */
  public SleepFlag sleepFlag() {
    return sleepFlag;
  }

  /**
   * Causes a turn soon, even if the thread is about to park. Any thread; one unpark per park.
   *
   * <p>A sleep has no end of its own, so nobody relies on another thread that was about to wake the
   * agent: several may unpark it before one of them has lowered the flag.
   */
  public void wake() {
    long sleep = sleepFlag.number();
    if (wakeSignal.raise() || sleep != 0) {
      unpark();
      sleepFlag.lower(sleep);
    }
  }

  /** Wakes the thread if it sleeps. Any thread, after it has made visible what it hands over. */
  public void wakeIfAsleep() {
    if (sleepFlag.isUp()) {
      wake();
    }
  }

  /** Like {@link #wake}, but cheaper: has no effect on a thread that is about to park. */
  public void wakeIfParked() {
    if (wakeSignal.raiseIfParked()) {
      unpark();
    }
  }

  private void unpark() {
    Thread current = thread;
    if (current != null) {
      parking.unpark(current);
    }
  }

  /** Asks the thread to finish its work and end. Any thread; idempotent. */
  public void requestStop() {
    stopRequested = true;
    wake();
  }

  /**
   * Waits until the thread has ended after {@link #requestStop}, and replaces it if an Error ends
   * it before its work is finished. An interrupt does not shorten the wait; the interrupt flag
   * stays set.
   *
   * @param timeoutNs longest wait, nanoseconds
   * @return whether the agent has finished and closed
   */
  public boolean join(long timeoutNs) {
    boolean interrupted = false;
    long deadlineNs = clock.nanoTime() + timeoutNs;
    long leftNs = timeoutNs;
    int revivals = 0;
    Thread current = thread;
    while (current != null && current != Thread.currentThread() && leftNs > 0) {
      if (current.isAlive()) {
        interrupted |= joinOnce(current, leftNs);
      } else if (finished || revivals++ == MAX_REVIVALS) {
        break;
      } else {
        guarded(this::reviveIfDead);
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
    // The signal first: it may be that of a stop.
    for (wakeSignal.beginTurn(); !stopRequested; wakeSignal.beginTurn()) {
      int workDone = 0;
      try {
        workDone = agent.doWork();
      } catch (Exception e) {
        errors.accept(e);
      }
      rest(workDone);
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

  /** Runs a step that is not repeated and must not prevent the others. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) { // an Error too: a new thread would not repeat this step
      errors.accept(t);
    }
  }

  private void rest(int workDone) {
    long nowNs = clock.nanoTime();
    long parkNs = parkPolicy.parkNs(workDone, nowNs);
    boolean slept = workDone == 0 && parkPolicy.maySleep(nowNs) && sleep(parkNs, nowNs);
    if (!slept) {
      park(parkNs);
    }
  }

  /**
   * Sleeps if the agent can do without turns for longer than a park. Asks it first, so that the
   * flag is not written by a thread that stays awake.
   *
   * @return whether it did
   */
  private boolean sleep(long parkNs, long nowNs) {
    if (agent.sleepNs(nowNs) <= parkNs) {
      return false;
    }
    sleepFlag.raise();
    try {
      long sleepNs = agent.sleepNs(nowNs); // work may have come before the flag was up
      if (sleepNs <= parkNs) {
        return false;
      }
      park(sleepNs);
      return true;
    } finally {
      sleepFlag.lower();
      onAwake.run();
    }
  }

  private void park(long parkNs) {
    if (parkNs <= 0) {
      return;
    }
    if (wakeSignal.beginPark()) {
      parking.park(this, parkNs);
    }
    wakeSignal.endPark();
  }

  private void ended() {
    if (!finished) {
      dead = true;
      onDeath.run();
    }
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
      try {
        owner.run();
      } catch (Error e) {
        owner.errors.accept(e); // first: the next thread may look for it only once
      } finally {
        owner.ended();
      }
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
