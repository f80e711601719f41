package dev.forebay.tiered.ship;

import dev.forebay.agent.NanoClock;

/**
 * Warns that others change the log: once, and again when they had left it alone for a minute. For
 * the shipper's thread.
 */
final class OthersNotice {

  private static final long AGAIN_NS = 60_000_000_000L;

  private final Destination destination;
  private final ShipmentAccount account;
  private final NanoClock clock;

  private boolean disturbed;
  private long lastNs;

  OthersNotice(Destination destination, ShipmentAccount account, NanoClock clock) {
    this.destination = destination;
    this.account = account;
    this.clock = clock;
  }

  /** They did it just now. */
  void tell(String what) {
    long nowNs = clock.nanoTime();
    if (!disturbed || nowNs - lastNs >= AGAIN_NS) {
      account.warn(destination.name() + " " + what);
    }
    disturbed = true;
    lastNs = nowNs;
  }
}
