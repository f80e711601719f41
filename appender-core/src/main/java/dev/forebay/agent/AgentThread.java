package dev.forebay.agent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one {@link Agent} on its own daemon thread: the loop, parking, waking and the bounded stop.
 *
 * <p>What a step throws, an {@link Error} too, is reported, and the thread continues with the same
 * agent, even if the report throws as well: no thread ends before its work.
 *
 * <p>The thread cannot be interrupted: an interrupt would close the file it is writing, and block
 * the interrupting thread until a stalled disk returns. {@code Thread.interrupt} on it only wakes
 * it.
 */
public final class AgentThread implements Runnable {

  /**
   * Stands for any owner. For flushers: two rings whose encoders or appenders log would otherwise
   * feed each other.
   */
  public static final Object ANY = new Object();

  private static final long FINISH_PARK_NS = 1_000_000;

  private final Agent agent;
  private final ParkPolicy parkPolicy;
  private final NanoClock clock;
  private final Consumer<Throwable> errors;
  private final @Nullable Object carries;
  private final WakeSignal wakeSignal = new WakeSignal();
  private final SleepFlag sleepFlag = new SleepFlag();

  private final Thread thread;

  /** Set once, by {@link #requestStop}. */
  private volatile boolean stopRequested;

  /** Written by the agent's thread, last; read by {@link #join}. */
  private volatile boolean finished;

  /** Set by a {@link #join} that has waited in vain. */
  private volatile boolean left;

  /** Set before the start; called by the agent's thread after each sleep. */
  private volatile @Nullable Runnable onAwake;

  /** Whether only the last step is left. Used by the agent's thread. */
  private boolean closing;

  /**
   * @param parkPolicy called by the agent's thread only
   * @param errors receives what the work throws, on the agent's thread; what it throws is lost
   * @param carries the account of the ring that what this thread logs would feed, or {@link #ANY};
   *     null: none
   */
  public AgentThread(
      Agent agent,
      ParkPolicy parkPolicy,
      String name,
      NanoClock clock,
      Consumer<Throwable> errors,
      @Nullable Object carries) {
    this.agent = agent;
    this.parkPolicy = parkPolicy;
    this.clock = clock;
    this.errors = errors;
    this.carries = carries;
    this.thread = new Worker(this, name);
  }

  /** Whether the current thread is that of an agent. */
  public static boolean isCurrentThreadAgent() {
    return Thread.currentThread() instanceof Worker;
  }

  /** The owner whose events the current thread carries; null if none. */
  public static @Nullable Object carriedHere() {
    return Thread.currentThread() instanceof Worker worker ? worker.owner.carries : null;
  }

  /**
   * Starts the thread, which loads classes as the caller does. Call once.
   *
   * @throws OutOfMemoryError if the system has no thread left; {@link #join} then does not wait,
   *     and another call may succeed
   */
  public void start() {
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader()); // as on JDK 17
    thread.start();
  }

  /**
   * Sets what the thread runs each time it has lowered its {@link SleepFlag}, before its next turn.
   * Call before start; must neither block nor throw.
   */
  public void whenAwake(Runnable action) {
    onAwake = action;
  }

  /** Whether the thread sleeps; if so, a thread that hands it work must {@link #wake} it. */
  public SleepFlag sleepFlag() {
    return sleepFlag;
  }

  /**
   * Causes a turn soon, even if the thread is about to park. Any thread; one unpark per park.
   *
   * <p>A sleep has no timeout, so no thread relies on another one to wake the agent: several may
   * unpark it before one of them has lowered the flag.
   */
  public void wake() {
    long sleep = sleepFlag.number();
    if (wakeSignal.raise() || sleep != 0) {
      LockSupport.unpark(thread);
      sleepFlag.lower(sleep);
    }
  }

  /** Calls {@link #wakeIfAsleep}, so that this class can serve as a callback for news. */
  @Override
  public void run() {
    wakeIfAsleep();
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
      LockSupport.unpark(thread);
    }
  }

  /** Asks the thread to finish its work and end. Any thread; idempotent. */
  public void requestStop() {
    stopRequested = true;
    wake();
  }

  /**
   * Waits until the thread has ended after {@link #requestStop}. If that takes too long, a step
   * that throws is not repeated any more. An interrupt does not shorten the wait; the interrupt
   * flag stays set.
   *
   * @param limit longest wait
   * @return whether the agent has finished and closed
   */
  public boolean join(TimeLimit limit) {
    if (thread != Thread.currentThread()) {
      boolean unused = limit.await(() -> !thread.isAlive());
      left = !finished;
    }
    return finished;
  }

  /** As {@link #join(TimeLimit)}, for a time in nanoseconds. */
  public boolean join(long timeoutNs) {
    return join(new TimeLimit(clock, timeoutNs));
  }

  @Override
  public String toString() {
    return thread.getName();
  }

  private void work() {
    try {
      agent.onStart();
    } catch (Throwable t) { // onStart is not repeated
      report(t);
    }
    while (!finished) {
      try {
        turn();
      } catch (Throwable t) {
        report(t);
        park(stopRequested ? FINISH_PARK_NS : parkPolicy.parkNs(0, clock.nanoTime()));
      }
    }
  }

  private void report(Throwable failure) {
    try {
      errors.accept(failure);
    } catch (Throwable t) { // nowhere left to report to
      return;
    }
  }

  private void turn() throws Exception {
    wakeSignal.beginTurn(); // first: the signal may be that of a stop
    if (!stopRequested) {
      rest(agent.doWork());
    } else if (!closing) {
      closing = left; // then a step that throws is not repeated: it may throw for ever
      closing = agent.finish();
      park(closing ? 0 : FINISH_PARK_NS);
    } else {
      try {
        agent.onClose();
      } finally {
        finished = true;
      }
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
      Runnable action = onAwake;
      if (action != null) {
        action.run();
      }
    }
  }

  private void park(long parkNs) {
    if (parkNs <= 0) {
      return;
    }
    if (wakeSignal.beginPark()) {
      if (parkNs == Agent.UNTIL_WOKEN) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, parkNs);
      }
    }
    wakeSignal.endPark();
  }

  /** A thread that an interrupt only wakes. */
  private static final class Worker extends Thread {

    private final AgentThread owner;

    Worker(AgentThread owner, String name) {
      super(null, null, name, 0, false);
      this.owner = owner;
    }

    @Override
    public void run() {
      owner.work();
    }

    @Override
    public void interrupt() {
      LockSupport.unpark(this);
    }
  }
}
