package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.util.Objects;

/** What only tests of destinations need. */
public final class ShipAccess {
  private ShipAccess() {}

  /** What the operating system does when the process is killed. */
  public static void kill(SpoolQueue queue) {
    queue.close();
  }

  /** The same of one that ships for others. */
  public static void kill(LogShipping shipping) {
    shipping.queue.close();
  }

  /** Whether it reads a spool as that of a living process. */
  public static boolean readsLiving(LogShipping shipping) {
    LiveSpools live = Objects.requireNonNull(shipping.queue.live);
    return shipping.queue.leases.stream().anyMatch(live::isIn);
  }

  /** Others of the same process ship for this one, or this one for them. */
  public static void share(SpoolQueue queue, Shipper shipper) {
    queue.shipper = shipper;
  }

  public static Records records(SpoolDirectory directory, Spool spool) {
    ShipLease lease = new ShipLease(directory, true);
    return new Records(lease, spool.source(), spool, 0, new ShippingListener() {});
  }
}
