package dev.forebay.agent;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one {@link Agent} on a daemon thread of its own: the loop, parking, waking and the bounded
 * stop. An agent that sleeps has no thread: {@code Sleepers} gives it a new one when it is woken.
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
  private static final long LAST_PARK_NS = 50_000;

  private final Agent agent;
  private final ParkPolicy parkPolicy;
  private final NanoClock clock;
  private final Consumer<Throwable> errors;
  final @Nullable Object carries;
  private final WakeSignal wakeSignal = new WakeSignal();
  private final SleepFlag sleepFlag = new SleepFlag();

  private final String name;

  /**
   * Who is unparked for the agent: its thread, or while it sleeps the {@link Sleepers}. Written
   * before the signal is read.
   */
  private volatile Worker thread;

  /** The agent's thread before its last sleep; null before the first. */
  private @Nullable Worker before;

  // Of the present sleep. The agent's thread, until it hands over.
  private long sleepNs;
  private long asleepSinceNs;

  /** Whether there was no thread for the agent, and that is reported. Used by the sleepers. */
  private boolean isLeftAsleep;

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
    this.name = name;
    this.thread = new Worker(this, name);
  }

  /** Whether the current thread is that of an agent, or wakes them. */
  public static boolean isCurrentThreadAgent() {
    return Thread.currentThread() instanceof Worker;
  }

  /** The owner whose events the current thread carries; null if none. */
  public static @Nullable Object carriedHere() {
    AgentThread here = Thread.currentThread() instanceof Worker worker ? worker.owner : null;
    return here == null ? null : here.carries;
  }

  /**
   * Starts the thread, which loads classes as the caller does. Call once.
   *
   * @throws OutOfMemoryError if the system has no thread left; {@link #join} then does not wait,
   *     and another call may succeed
   */
  public void start() {
    Worker first = thread;
    first.setContextClassLoader(Thread.currentThread().getContextClassLoader()); // as on JDK 17
    first.start();
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
    LockSupport.unpark(thread); // one that is left without a thread was woken earlier
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
      boolean isOver = limit.await(this::isOver);
      left = !finished;
      if (isOver && before != null) {
        Sleepers.awaitEnd(limit);
      }
    }
    return finished;
  }

  /** Whether it has no thread, and will not get one any more. */
  private boolean isOver() {
    Worker last = thread;
    return last.owner == this && !last.isAlive() && last == thread;
  }

  /** As {@link #join(TimeLimit)}, for a time in nanoseconds. */
  public boolean join(long timeoutNs) {
    return join(new TimeLimit(clock, timeoutNs));
  }

  @Override
  public String toString() {
    return name;
  }

  /** How long it may still sleep, nanoseconds; 0 or less: it is to get a thread. */
  long sleepLeftNs(long nowNs) {
    return wakeSignal.isRaised() ? 0 : sleepNs - (nowNs - asleepSinceNs);
  }

  /** The agent's thread hands over to those. Nothing of the agent is its own any more. */
  void sleep(Worker sleepers) {
    thread = sleepers;
  }

  /** Gives the agent a thread again. Returns whether there was one. */
  boolean awake() {
    try {
      Worker next = new Worker(this, name);
      next.setContextClassLoader(Objects.requireNonNull(before).getContextClassLoader());
      Sleepers.starter.accept(next);
      isLeftAsleep = false;
      return true;
    } catch (Throwable t) { // no memory for a thread
      if (!isLeftAsleep) {
        isLeftAsleep = true;
        report(t);
      }
      return false;
    }
  }

  /** Does the work there is now on the thread that waits for it: the system has no other. */
  void turnOn(Worker waiting) {
    waiting.owner = this;
    try {
      wakeSignal.beginTurn();
      endSleep();
      int unused = agent.doWork();
    } catch (Throwable t) {
      report(t);
    } finally {
      waiting.owner = null;
    }
  }

  /** The loop of one of its threads. */
  void work(Worker self) {
    thread = self;
    if (before == null) {
      begin();
    } else {
      continueAfter(before);
    }
    while (!finished && thread == self) {
      try {
        turn();
      } catch (Throwable t) {
        report(t);
        park(stopRequested ? FINISH_PARK_NS : parkPolicy.parkNs(0, clock.nanoTime()));
      }
    }
  }

  private void begin() {
    try {
      agent.onStart();
    } catch (Throwable t) { // onStart is not repeated
      report(t);
    }
  }

  private void continueAfter(Worker last) {
    while (last.isAlive()) { // it has left the agent and ends
      LockSupport.parkNanos(this, LAST_PARK_NS);
    }
    wakeSignal.endPark();
    endSleep();
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
    boolean handedOver = false;
    try {
      sleepNs = agent.sleepNs(nowNs); // work may have come before the flag was up
      if (sleepNs <= parkNs) {
        return false;
      }
      handedOver = handOver();
      if (!handedOver) {
        park(sleepNs);
      }
      return true;
    } finally {
      if (!handedOver) {
        endSleep();
      }
    }
  }

  /** Returns whether this thread is no longer the agent's, and so must end at once. */
  private boolean handOver() {
    try {
      asleepSinceNs = NanoClock.SYSTEM.nanoTime();
      if (!wakeSignal.beginPark()) {
        return false;
      }
      before = thread;
      Sleepers.add(this);
      return true;
    } catch (Throwable t) { // no memory, or no class as the application is gone: sleeps here
      return false;
    }
  }

  private void endSleep() {
    sleepFlag.lower();
    Runnable action = onAwake;
    if (action != null) {
      action.run();
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
}
