package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;

/**
 * Warns that others change the log: the first time, and again after a minute without a change. For
 * the shipper's thread.
 */
final class OthersNotice {

  private static final long AGAIN_NS = 60_000_000_000L;

  private final Destination destination;
  private final ShippingListener listener;
  private final NanoClock clock;

  private boolean disturbed;
  private long lastNs;

  OthersNotice(Destination destination, ShippingListener listener, NanoClock clock) {
    this.destination = destination;
    this.listener = listener;
    this.clock = clock;
  }

  /** Others changed the log just now. */
  void changed(String what) {
    long nowNs = clock.nanoTime();
    if (!disturbed || nowNs - lastNs >= AGAIN_NS) {
      listener.warn(destination.name() + " " + what);
    }
    disturbed = true;
    lastNs = nowNs;
  }
}
