package dev.forebay.tiered.ship;

import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts spools of dead processes in order: first the spool with which the destination may end, then
 * the oldest. A spool may exist in two directories if its process was killed between publishing a
 * copy and deleting the original; then neither has been shipped from. For the shipper's thread.
 */
record OrphanOrder(List<ShipLease> leases, List<Records> orphans, ShippingListener listener) {

  private static final Comparator<Records> ORDER =
      Comparator.<Records>comparingInt(Records::rank)
          .thenComparing(OrphanOrder::counter, Long::compareUnsigned);

  private static long counter(Records orphan) {
    return SpoolNames.counter(orphan.path());
  }

  /** False if one that is there twice must wait, since only one of both can be had. */
  boolean restore() {
    orphans.sort(ORDER);
    if (leases.size() == 1) {
      return true;
    }
    cutOff();
    return isEachOnce();
  }

  /** Leaves those alone that come after one that was not taken over. */
  private void cutOff() {
    for (ShipLease lease : leases) {
      List<Records> taken = orphans.stream().filter(one -> one.lease() == lease).toList();
      if (taken.size() >= SpoolDirectory.MAX_TAKEN) {
        long newest = taken.stream().mapToLong(OrphanOrder::counter).max().getAsLong();
        for (Records one : List.copyOf(orphans)) {
          boolean isFirst = one.rank() < 2;
          if (!isFirst && Long.compareUnsigned(counter(one), newest) > 0) {
            leave(one);
          }
        }
      }
    }
  }

  private boolean isEachOnce() {
    boolean isDone = true;
    for (Records one : List.copyOf(orphans)) {
      Records twin = twin(one);
      try {
        if (twin != null) {
          twin.discard();
          orphans.remove(twin);
        } else if (isElsewhere(one)) {
          isDone = false;
          leave(one);
        }
      } catch (IOException e) {
        listener.warn(
            "Cannot delete a spool that is there twice, %s: %s; it waits".formatted(one.path(), e));
        isDone = false;
        leave(one);
        if (twin != null) {
          leave(twin);
        }
      }
    }
    return isDone;
  }

  /** The same spool later in the list; null if there is none. */
  private @Nullable Records twin(Records one) {
    int at = orphans.indexOf(one);
    for (Records other : at < 0 ? List.<Records>of() : orphans.subList(at + 1, orphans.size())) {
      if (other.instance().equals(one.instance())) {
        return other;
      }
    }
    return null;
  }

  /** Whether the spool is there twice, and the other one was not taken over. */
  private boolean isElsewhere(Records one) throws IOException {
    InstanceId instance = one.instance();
    for (ShipLease lease : leases) {
      boolean isOther = orphans.contains(one) && lease != one.lease() && !lease.isGone();
      if (isOther && lease.directory().holds(instance)) {
        return true;
      }
    }
    return false;
  }

  private void leave(Records orphan) {
    if (orphans.remove(orphan)) {
      orphan.leave();
    }
  }
}
