package dev.forebay.tool;

import dev.forebay.tiered.apart.ShipService;
import dev.forebay.tiered.apart.ShippedLog;
import java.util.List;

/** What ships: a service of this process, or as root also children for other users. */
interface Shipping {

  /** Begins to look and to ship. */
  void start();

  /** All logs that were found. Any thread. */
  List<ShippedLog> logs();

  /** Whether all that was there at the start is among the {@link #logs}. */
  boolean hasLooked();

  /** Whether no living process has a spool and nothing is left to ship. */
  boolean isDrained();

  /** Processes that ship for other users, and do not answer now. Any thread. */
  default int missing() {
    return 0;
  }

  /**
   * Commits what is copied; may wait for a disk.
   *
   * @param limitNs the time for it
   */
  void close(long limitNs);

  /** The spools of our own user. */
  static Shipping of(ShipService service) {
    return new Shipping() {
      @Override
      public void start() {
        service.start();
      }

      @Override
      public List<ShippedLog> logs() {
        return service.logs();
      }

      @Override
      public boolean hasLooked() {
        return service.hasLooked();
      }

      @Override
      public boolean isDrained() {
        return service.isDrained();
      }

      @Override
      public void close(long limitNs) {
        service.close(limitNs);
      }
    };
  }
}
