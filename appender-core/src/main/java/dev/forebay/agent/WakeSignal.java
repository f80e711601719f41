package dev.forebay.agent;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The hand-off between an agent's thread that is about to park and threads that need it awake.
 *
 * <p>{@link #raise} sets {@code requested}, then reads {@code parked}; {@link #beginPark} sets
 * {@code parked}, then reads {@code requested}. All four accesses are volatile, so at least one
 * side sees the other, and no signal is lost. The request is stored even if it is already set: the
 * agent's thread clears it by an exchange and so sees everything written before the store it took.
 * Of the threads that raise the signal during one park, one wins the exchange of {@code parked} and
 * unparks.
 */
final class WakeSignal {

  // Not AtomicBoolean: it uses a VarHandle, which costs 10 µs in cold code, and the first event
  // after an idle time finds cold code.
  private static final int NO = 0;
  private static final int YES = 1;

  /** Set by any thread; cleared by the agent's thread before it looks for work. */
  private final AtomicInteger requested = new AtomicInteger();

  /** Set by the agent's thread around a park; cleared by it or by the thread that unparks it. */
  private final AtomicInteger parked = new AtomicInteger();

  /**
   * Requests a turn soon. Any thread. Returns whether the caller must unpark the agent's thread.
   */
  boolean raise() {
    requested.set(YES);
    return parked.get() == YES && parked.compareAndSet(YES, NO);
  }

  /**
   * Like {@link #raise}, but without its store and ordering: a signal to a thread that is about to
   * park is lost. For callers that tolerate a delay of one park.
   */
  boolean raiseIfParked() {
    return parked.getOpaque() == YES && parked.compareAndSet(YES, NO);
  }

  /** Clears the request. The agent's thread, before it looks for work. */
  void beginTurn() {
    requested.getAndSet(NO);
  }

  /** Whether the park that was announced is to end. The thread that waits for the agent. */
  boolean isRaised() {
    return requested.get() == YES || parked.get() == NO;
  }

  /** Announces a park. The agent's thread. Returns whether it may park. */
  boolean beginPark() {
    parked.set(YES);
    return requested.get() == NO;
  }

  /** The agent's thread after the park. */
  void endPark() {
    parked.set(NO);
  }
}
