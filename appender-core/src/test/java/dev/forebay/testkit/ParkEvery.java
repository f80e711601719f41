package dev.forebay.testkit;

import dev.forebay.agent.ParkPolicy;

/** Always parks this long, and may sleep at any time. */
public record ParkEvery(long parkNs) implements ParkPolicy {

  @Override
  public long parkNs(int workDone, long nowNs) {
    return parkNs;
  }

  @Override
  public boolean maySleep(long nowNs) {
    return true;
  }
}
