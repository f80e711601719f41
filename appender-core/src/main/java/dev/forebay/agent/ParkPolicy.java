package dev.forebay.agent;

/** Decides how long an agent's thread parks between two calls of its work. Not thread-safe. */
@FunctionalInterface
public interface ParkPolicy {

  /**
   * Called by the agent's thread after each call of the work.
   *
   * @param workDone what {@link Agent#doWork} returned
   * @param nowNs the monotonic clock
   * @return how long to park, in nanoseconds; 0 or less to continue at once
   */
  long parkNs(int workDone, long nowNs);

  /**
   * Whether there has been no work for so long that the thread may sleep for as long as {@link
   * Agent#sleepNs} allows. Called after {@link #parkNs}.
   *
   * @param nowNs the monotonic clock
   */
  default boolean maySleep(long nowNs) {
    return false;
  }
}
