package dev.forebay.agent;

/**
 * A unit of background work. All methods are called by one thread at a time; when an {@link Error}
 * ends that thread, a new one goes on with {@link #doWork}, and sees all that the old one wrote.
 */
public interface Agent {

  /** Work of a call that ended at a limit of its own: there is more to do at once. */
  int MORE = Integer.MAX_VALUE;

  /** Called once, before the first {@link #doWork}. */
  default void onStart() {}

  /**
   * Does what there is to do now and returns. Must not park or loop waiting for more.
   *
   * @return amount of work done; 0 makes the thread idle, {@link #MORE} keeps it from parking
   */
  int doWork() throws Exception;

  /**
   * Called instead of {@link #doWork}, again and again, once the thread was asked to stop.
   *
   * @return whether everything that has to precede the stop is done
   */
  default boolean finish() throws Exception {
    return true;
  }

  /** Called once, last, on the agent's thread; not called when the thread could not be stopped. */
  default void onClose() {}
}
