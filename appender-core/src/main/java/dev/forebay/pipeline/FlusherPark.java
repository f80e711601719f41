package dev.forebay.pipeline;

import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.ParkPolicy;

/** How long the flusher parks between two turns. */
final class FlusherPark implements ParkPolicy {

  private static final int EVENTS_PER_WAKE = 256;
  private static final long MAX_PARK_NS = 10_000_000;
  private static final long IDLE_PARK_NS = 50_000_000;

  private final Flusher flusher;
  private final ParkPolicy adaptive = new AdaptivePark(EVENTS_PER_WAKE, MAX_PARK_NS, IDLE_PARK_NS);

  FlusherPark(Flusher flusher) {
    this.flusher = flusher;
  }

  /** No caller wakes a stalled flusher, so it must not park as long as an idle one. */
  @Override
  public long parkNs(int workDone, long nowNs) {
    long parkNs = adaptive.parkNs(workDone, nowNs);
    return flusher.isStalled() ? Math.min(parkNs, MAX_PARK_NS) : parkNs;
  }

  @Override
  public boolean maySleep(long nowNs) {
    return adaptive.maySleep(nowNs);
  }
}
