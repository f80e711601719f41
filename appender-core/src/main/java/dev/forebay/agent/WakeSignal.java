package dev.forebay.agent;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The agreement between an agent's thread that is about to park and those that need it awake.
 *
 * <p>{@link #raise} raises the request and then reads {@code parked}; {@link #beginPark} raises
 * {@code parked} and then reads the request. All four are volatile, so at least one side sees the
 * other and no signal is lost. The request is raised even where it is up already: the agent's
 * thread takes it down by an exchange, and so sees all that was written before the raise it took.
 * Of all that ring during one park, one wins the exchange of {@code parked} and unparks.
 */
final class WakeSignal {

  /** Raised by any thread; lowered by the agent's thread before it looks for work. */
  private final AtomicBoolean requested = new AtomicBoolean();

  /** Raised by the agent's thread around a park; lowered by it or by the one that unparks it. */
  private final AtomicBoolean parked = new AtomicBoolean();

  /** Asks for a turn soon. Any thread; whether the caller has to unpark the agent's thread. */
  boolean raise() {
    requested.set(true);
    return parked.get() && parked.compareAndSet(true, false);
  }

  /**
   * As {@link #raise}, without its store and without the order, for callers that can live with a
   * turn that is late by one park: a signal to a thread that is about to park is lost.
   */
  boolean raiseIfParked() {
    return parked.getOpaque() && parked.compareAndSet(true, false);
  }

  /** Takes the request down. The agent's thread, before it looks for work. */
  void beginTurn() {
    requested.getAndSet(false);
  }

  /** Announces a park. The agent's thread; whether it may park. */
  boolean beginPark() {
    parked.set(true);
    return !requested.get();
  }

  /** The agent's thread after the park. */
  void endPark() {
    parked.set(false);
  }
}
