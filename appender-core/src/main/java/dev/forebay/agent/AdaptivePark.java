package dev.forebay.agent;

/**
 * Parks so long that about {@value #EVENTS_PER_WAKE} pieces of work gather meanwhile, within
 * bounds.
 *
 * <p>The lower bound is 1 ms: a shorter timed park really lasts 70 to 170 µs and costs 6 to 26 % of
 * a core. The upper bound limits how long an event stays in the heap only. After a second without
 * work the park doubles up to the idle bound, so that an idle process is left alone. Waking by rate
 * in place of by message was proposed for HotSpot's own asynchronous log (JDK-8299415).
 */
public final class AdaptivePark implements ParkPolicy {

  static final int EVENTS_PER_WAKE = 256;
  static final long MIN_PARK_NS = 1_000_000;

  /**
   * After so much work in one call there is no park: at this pace a park would fill a good part of
   * the ring, and being woken out of it costs some caller 10 µs.
   */
  static final int TOO_BUSY_TO_PARK = 1024;

  static final long IDLE_AFTER_NS = 1_000_000_000;

  /** Weight of the newest sample in the moving average of the rate. */
  private static final double NEWEST = 0.25;

  private final long maxParkNs;
  private final long idleParkNs;

  private double eventsPerNs;
  private long parkNs;
  private long lastCallNs;
  private long lastWorkNs;
  private boolean called;

  /**
   * @param maxParkNs longest park while work keeps coming, nanoseconds
   * @param idleParkNs longest park when there has been none for a second, nanoseconds
   */
  public AdaptivePark(long maxParkNs, long idleParkNs) {
    this.maxParkNs = maxParkNs;
    this.idleParkNs = idleParkNs;
    this.parkNs = maxParkNs;
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    if (!called) { // no time has passed to which a rate could refer
      called = true;
      lastWorkNs = nowNs;
    } else if (workDone > 0) {
      long elapsedNs = Math.max(1, nowNs - lastCallNs);
      eventsPerNs += NEWEST * ((double) workDone / elapsedNs - eventsPerNs);
      parkNs = Math.max(MIN_PARK_NS, Math.min(maxParkNs, (long) (EVENTS_PER_WAKE / eventsPerNs)));
      lastWorkNs = nowNs;
    } else if (nowNs - lastWorkNs >= IDLE_AFTER_NS) {
      parkNs = Math.min(idleParkNs, Math.max(parkNs, MIN_PARK_NS) * 2);
      eventsPerNs = 0;
    }
    lastCallNs = nowNs;
    return workDone >= TOO_BUSY_TO_PARK ? 0 : parkNs;
  }
}
