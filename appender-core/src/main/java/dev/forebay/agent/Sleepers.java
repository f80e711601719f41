package dev.forebay.agent;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agents of this process that sleep, and the thread that waits for them while there are any: it
 * starts a new thread for each that is woken or due. Starting one takes too long for a log call;
 * and a thread that served several would carry the thread locals of one to the next, and might keep
 * the class loader of an application that is gone. While the system has no thread left, the one
 * that waits gives each that is woken or due a turn a second, and then another one replaces it.
 *
 * <p>An agent's thread puts this thread in its place, then has it look at the signal; who wakes an
 * agent sets the signal, then unparks whom it finds in that place. So no wake-up is lost.
 */
final class Sleepers extends Worker {

  /** When those without a thread are looked at again, nanoseconds; tests replace it. */
  static volatile long retryNs = 1_000_000_000;

  /** Starts a thread; tests replace it. */
  static volatile Consumer<Thread> starter = Thread::start;

  /** Guarded by the class, like the next two. */
  private static final List<AgentThread> ASLEEP = new ArrayList<>();

  /**
   * When it looks at them again, unless it is woken; before its first look of no meaning. Tests
   * replace it.
   */
  static long nextLookNs;

  /** Ends as soon as nobody sleeps. */
  private static @Nullable Sleepers newest;

  /** Those that are left without a thread. Its own. */
  private final List<AgentThread> stuck = new ArrayList<>();

  /** Whether it may have thread locals of agents. Its own. */
  private boolean tookTurns;

  private Sleepers() {
    super(null, "forebay-idle");
  }

  /**
   * Takes an agent over from its thread. Throws if that is not possible, and has done nothing then.
   */
  static synchronized void add(AgentThread agent) {
    Sleepers waiting = newest;
    if (waiting == null || ASLEEP.isEmpty()) {
      waiting = begin();
    }
    long nowNs = NanoClock.SYSTEM.nanoTime();
    ASLEEP.add(agent);
    agent.sleep(waiting);
    long lookNs = nextLookNs - nowNs; // what is past was not kept, so may be late
    if (lookNs <= 0 || agent.sleepLeftNs(nowNs) < lookNs) { // woken meanwhile, or due first
      LockSupport.unpark(waiting); // it looks when this has returned
    }
  }

  /** It may outlive the application of the first agent. */
  @SuppressWarnings("removal") // needed until JDK 17 is no longer supported
  private static Sleepers begin() {
    Sleepers next = AccessController.doPrivileged((PrivilegedAction<Sleepers>) Sleepers::new);
    next.setContextClassLoader(Sleepers.class.getClassLoader());
    starter.accept(next);
    newest = next;
    return next;
  }

  /** If nobody sleeps any more, waits until the thread has ended. */
  static void awaitEnd(TimeLimit limit) {
    boolean unused = limit.await(Sleepers::isSettled);
  }

  private static synchronized boolean isSettled() {
    return !ASLEEP.isEmpty() || newest == null || !newest.isAlive();
  }

  @Override
  public void run() {
    long parkNs = retryNs;
    while (parkNs > 0) {
      try {
        parkNs = look();
        for (AgentThread agent : stuck) {
          tookTurns = true;
          agent.turnOn(this);
        }
      } catch (Throwable t) { // nobody else would wake them
        parkNs = retryNs;
      }
      LockSupport.parkNanos(this, parkNs);
    }
  }

  /** Returns the time until the next look, nanoseconds; 0 if nobody sleeps. */
  private long look() {
    stuck.clear();
    synchronized (Sleepers.class) {
      long nowNs = NanoClock.SYSTEM.nanoTime();
      long nextNs = Long.MAX_VALUE;
      for (int i = ASLEEP.size() - 1; i >= 0; i--) {
        AgentThread agent = ASLEEP.get(i);
        long leftNs = agent.sleepLeftNs(nowNs);
        if (leftNs > 0) {
          nextNs = Math.min(nextNs, leftNs);
        } else if (stuck.isEmpty() && agent.awake()) {
          ASLEEP.remove(i);
        } else {
          stuck.add(agent);
          nextNs = Math.min(nextNs, retryNs);
        }
      }
      nextLookNs = nowNs + nextNs;
      if (tookTurns && stuck.isEmpty() && !ASLEEP.isEmpty()) {
        Sleepers next = begin();
        for (AgentThread agent : ASLEEP) {
          agent.sleep(next);
        }
      }
      return ASLEEP.isEmpty() || newest != this ? 0 : nextNs;
    }
  }
}
