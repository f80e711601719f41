package dev.forebay.agent;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether an agent sleeps: has no thread, so that a thread with work for it must wake it.
 *
 * <p>The agent's thread raises the flag, then looks once more for work. A thread with work for it
 * makes the work visible, then reads the flag. All four accesses are volatile, so at least one side
 * sees the other: either the thread does not sleep, or it is woken.
 *
 * <p>An awake agent writes nothing here, so readers share a cache line that stays valid. The flag
 * is a number, so that a thread that wakes the agent and is then suspended for long cannot lower
 * the flag of a later sleep.
 */
@SuppressWarnings("unused")
public final class SleepFlag {

  /** No VarHandle, for the reason that {@link WakeSignal} gives. */
  private static final AtomicLongFieldUpdater<SleepFlag> SLEEP =
      AtomicLongFieldUpdater.newUpdater(SleepFlag.class, "sleep");

  // Two cache lines before the number and two after it: fields of one size lie as they stand here.
  long b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15, b16;

  /** Number of the present sleep; 0 while the agent's thread is awake. */
  private volatile long sleep;

  long a01, a02, a03, a04, a05, a06, a07, a08, a09, a10, a11, a12, a13, a14, a15, a16;

  /** How often the flag was raised. The agent's thread only; written while it is raised. */
  private long raised;

  SleepFlag() {}

  /** Runs what wakes a thread: the first time needs more stack than later ones. */
  public static void rehearse() {
    SleepFlag flag = new SleepFlag();
    flag.raise();
    LockSupport.unpark(null);
    flag.lower(flag.number());
  }

  /** Whether the thread must be woken. Any thread, after it has made its work visible. */
  public boolean isUp() {
    return sleep != 0;
  }

  /** The number of the present sleep, for {@link #lower(long)}; 0 if there is none. Any thread. */
  long number() {
    return sleep;
  }

  /** The agent's thread, before it looks for work the last time. */
  void raise() {
    sleep = ++raised;
  }

  /** The agent's thread, when it is awake again. */
  void lower() {
    if (sleep != 0) {
      sleep = 0;
    }
  }

  /** Called by the thread that ended the sleep, so that others need not wake the thread too. */
  void lower(long number) {
    SLEEP.compareAndSet(this, number, 0L);
  }
}
