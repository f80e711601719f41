package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;

/** What only tests of destinations need. */
public final class ShipAccess {
  private ShipAccess() {}

  /** What the operating system does when the process is killed. */
  public static void kill(SpoolQueue queue) {
    queue.close();
  }

  /** Takes in what was added, and looks for spools of dead processes. */
  public static void scan(SpoolQueue queue) throws IOException {
    queue.takeIn();
    if (!queue.isShipper(1)) {
      throw new IllegalStateException("another shipper");
    }
    queue.scan(1);
  }

  /** The records of a spool of ours. */
  public static Records records(SpoolDirectory directory, Progress progress, Spool spool) {
    ShipLease lease = new ShipLease(directory, progress);
    return new Records(lease, spool.source(), spool, 0, new ShippingListener() {});
  }
}
