package dev.forebay.agent;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The hand-off between an agent's thread that is about to park and threads that need it awake. With
 * {@link SleepFlag}, which says whether they do.
 *
 * <p>{@link #raise} sets {@code requested}, then reads {@code parked}; {@link #beginPark} sets
 * {@code parked}, then reads {@code requested}. All four accesses are volatile, so at least one
 * side sees the other, and no signal is lost. The request is stored even if it is already set: the
 * agent's thread clears it by an exchange and so sees everything written before the store it took.
 * Of the threads that raise the signal during one park, one wins the exchange of {@code parked} and
 * unparks.
 */
final class WakeSignal {

  /** Set by any thread; cleared by the agent's thread before it looks for work. */
  private final AtomicBoolean requested = new AtomicBoolean();

  /** Set by the agent's thread around a park; cleared by it or by the thread that unparks it. */
  private final AtomicBoolean parked = new AtomicBoolean();

  /**
   * Requests a turn soon. Any thread. Returns whether the caller must unpark the agent's thread.
   */
  boolean raise() {
    requested.set(true);
    return parked.get() && parked.compareAndSet(true, false);
  }

  /**
   * Like {@link #raise}, but without its store and ordering: a signal to a thread that is about to
   * park is lost. For callers that tolerate a delay of one park.
   */
  boolean raiseIfParked() {
    return parked.getOpaque() && parked.compareAndSet(true, false);
  }

  /** Clears the request. The agent's thread, before it looks for work. */
  void beginTurn() {
    requested.getAndSet(false);
  }

  /** Announces a park. The agent's thread. Returns whether it may park. */
  boolean beginPark() {
    parked.set(true);
    return !requested.get();
  }

  /** The agent's thread after the park. */
  void endPark() {
    parked.set(false);
  }
}
