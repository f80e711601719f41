package dev.forebay.tiered.ship;

import dev.forebay.tiered.spool.OwnSpool;
import java.io.IOException;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * Handles spools that the flusher's thread adds and retires after a stop that did not wait for it,
 * when the shipper no longer does. For the flusher's thread.
 */
final class LateSpools {

  private final Queue<SpoolQueue.Arrival> incoming;
  private final ShippingListener listener;

  /** Added, not retired yet, and never known to the shipper. */
  private final Set<OwnSpool> added = new HashSet<>();

  LateSpools(Queue<SpoolQueue.Arrival> incoming, ShippingListener listener) {
    this.incoming = incoming;
    this.listener = listener;
  }

  /**
   * Counts as lost the records that were not written, and all records of a spool that is lost with
   * the process. A spool on a disk is left to the next start; only this method closes it.
   */
  void decide() {
    for (SpoolQueue.Arrival arrival = incoming.poll(); arrival != null; arrival = incoming.poll()) {
      OwnSpool spool = arrival.spool;
      if (spool != null && !arrival.retired) {
        added.add(spool);
      } else if (spool != null) {
        boolean isLost = added.remove(spool) && !arrival.directory.disk().outlivesProcess();
        listener.lost(isLost ? spool.nextSequence() : arrival.unwritten);
        free(spool);
      }
    }
  }

  private void free(OwnSpool spool) {
    try {
      if (spool.nextSequence() == 0) {
        spool.discard();
      }
    } catch (IOException e) {
      listener.warn("Cannot delete the spool %s: %s".formatted(spool.path(), e));
    } finally {
      spool.close();
    }
  }
}
