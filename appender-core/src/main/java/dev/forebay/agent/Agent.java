package dev.forebay.agent;

/**
 * A unit of background work. One thread at a time calls its methods; after a sleep a new one, which
 * sees everything the old one wrote.
 */
public interface Agent {

  /** Returned by a call that stopped at its own limit: there is more to do at once. */
  int MORE = Integer.MAX_VALUE;

  /** Returned by {@link #sleepNs}: until the thread is woken. */
  long UNTIL_WOKEN = Long.MAX_VALUE;

  /** Called once, before the first {@link #doWork}. */
  default void onStart() {}

  /**
   * Does the work there is now and returns. Must not park or wait for more.
   *
   * @return amount of work done; 0 makes the thread idle, {@link #MORE} keeps it from parking
   */
  int doWork() throws Exception;

  /**
   * How long the agent can do without a turn, unless it is handed work. Called after {@link
   * #doWork} when there has been no work for a while, and again after {@link SleepFlag} is raised.
   * A thread that hands it work reads that flag afterwards.
   *
   * @param nowNs the monotonic clock
   * @return nanoseconds; {@link #UNTIL_WOKEN} if it has no timed duty, 0 if it must poll
   */
  default long sleepNs(long nowNs) {
    return 0;
  }

  /**
   * Called repeatedly instead of {@link #doWork} once a stop was requested.
   *
   * @return whether all work that must precede the stop is done
   */
  default boolean finish() throws Exception {
    return true;
  }

  /** Called once, last, on the agent's thread; not called if the thread could not be stopped. */
  default void onClose() {}
}
