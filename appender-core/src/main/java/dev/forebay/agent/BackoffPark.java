package dev.forebay.agent;

/**
 * Parks for a fixed time while there is work, and twice as long each time there is none, up to a
 * limit. For work that somebody wakes when it matters.
 */
public final class BackoffPark implements ParkPolicy {

  private final long busyNs;
  private final long idleNs;
  private long parkNs;

  /**
   * @param busyNs park after a call that did work, nanoseconds
   * @param idleNs longest park, nanoseconds
   */
  public BackoffPark(long busyNs, long idleNs) {
    this.busyNs = busyNs;
    this.idleNs = idleNs;
    this.parkNs = busyNs;
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    parkNs = workDone > 0 ? busyNs : Math.min(idleNs, 2 * parkNs);
    return parkNs;
  }
}
