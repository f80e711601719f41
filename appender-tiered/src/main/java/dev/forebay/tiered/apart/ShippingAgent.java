package dev.forebay.tiered.apart;

import dev.forebay.agent.Agent;
import dev.forebay.agent.AgentThread;
import dev.forebay.tiered.ship.LogShipping;
import org.jspecify.annotations.Nullable;

/** Ends its own thread once its log has no spool any more, and says so. */
final class ShippingAgent implements Agent {

  private final LogShipping shipping;
  private final DescribedLog log;

  /** Set before the start. */
  @Nullable AgentThread thread;

  ShippingAgent(LogShipping shipping, DescribedLog log) {
    this.shipping = shipping;
    this.log = log;
  }

  @Override
  public int doWork() {
    int work = shipping.doWork();
    AgentThread own = thread;
    if (shipping.isOver() && own != null) {
      own.requestStop();
    }
    return work;
  }

  @Override
  public long sleepNs(long nowNs) {
    return shipping.sleepNs(nowNs);
  }

  @Override
  public boolean finish() {
    return shipping.finish();
  }

  @Override
  public void onClose() {
    try {
      shipping.onClose();
    } finally {
      log.ended();
    }
  }
}
