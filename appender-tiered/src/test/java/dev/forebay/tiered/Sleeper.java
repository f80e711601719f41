package dev.forebay.tiered;

import dev.forebay.agent.Agent;
import dev.forebay.agent.ParkPolicy;
import java.util.concurrent.atomic.AtomicInteger;

/** Sleeps until it is woken, and counts its turns. */
class Sleeper implements Agent, ParkPolicy {

  final AtomicInteger turns = new AtomicInteger();

  @Override
  public int doWork() {
    turns.incrementAndGet();
    return 0;
  }

  @Override
  public long sleepNs(long nowNs) {
    return UNTIL_WOKEN;
  }

  @Override
  public long parkNs(int workDone, long nowNs) {
    return 1;
  }

  @Override
  public boolean maySleep(long nowNs) {
    return true;
  }
}
