package dev.forebay.agent;

/**
 * Parks just long enough for a given amount of work to gather, within bounds.
 *
 * <p>The lower bound is 1 ms: a shorter timed park really lasts 70 to 170 µs and costs 6 to 26 % of
 * a core. The upper bound limits how long work waits. After a second without work the park doubles
 * up to the idle bound, and after five seconds the thread may sleep, so that an idle process is
 * left alone. Not earlier: the thread that ends a sleep pays for the wake-up, and a log with an
 * event each second would pay each time. Before the first work it may sleep soon: of a hundred
 * appenders most log nothing at the start. Waking by rate instead of by message was proposed for
 * HotSpot's own asynchronous log (JDK-8299415).
 */
public final class AdaptivePark implements ParkPolicy {

  static final long MIN_PARK_NS = 1_000_000;
  static final long IDLE_AFTER_NS = 1_000_000_000;
  static final long SLEEP_AFTER_NS = 5_000_000_000L;
  static final long UNUSED_SLEEP_AFTER_NS = 100_000_000;

  /**
   * No park after a call that did this many times the wanted work: at that pace more arrives during
   * a park than can wait, and a caller would have to wake the thread.
   */
  static final int TOO_BUSY_TO_PARK = 4;

  /** Weight of the newest sample in the moving average of the rate. */
  private static final double NEWEST = 0.25;

  private final int workPerWake;
  private final long maxParkNs;
  private final long idleParkNs;

  private double workPerNs;
  private long parkNs;
  private long lastCallNs;
  private long lastWorkNs;
  private boolean called;
  private boolean worked;

  /**
   * @param workPerWake work that should have gathered when the park ends
   */
  public AdaptivePark(int workPerWake, long maxParkNs, long idleParkNs) {
    this.workPerWake = workPerWake;
    this.maxParkNs = maxParkNs;
    this.idleParkNs = idleParkNs;
    this.parkNs = maxParkNs;
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    if (!called || workDone == Agent.MORE) { // no rate: no time has passed, or no amount is known
      called = true;
      worked |= workDone > 0;
      lastWorkNs = nowNs;
    } else if (workDone > 0) {
      long elapsedNs = Math.max(1, nowNs - lastCallNs);
      workPerNs += NEWEST * ((double) workDone / elapsedNs - workPerNs);
      parkNs = Math.max(MIN_PARK_NS, Math.min(maxParkNs, (long) (workPerWake / workPerNs)));
      worked = true;
      lastWorkNs = nowNs;
    } else if (nowNs - lastWorkNs >= IDLE_AFTER_NS) {
      parkNs = Math.min(idleParkNs, Math.max(parkNs, MIN_PARK_NS) * 2);
      workPerNs = 0;
    }
    lastCallNs = nowNs;
    return workDone >= TOO_BUSY_TO_PARK * workPerWake ? 0 : parkNs;
  }

  @Override
  public boolean maySleep(long nowNs) {
    return nowNs - lastWorkNs >= (worked ? SLEEP_AFTER_NS : UNUSED_SLEEP_AFTER_NS);
  }
}
