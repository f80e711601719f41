package dev.forebay.tiered.ship;

import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.LiveSpool;
import dev.forebay.tiered.spool.OtherForm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The spools of one log that living processes fill and this one ships, in turns. At most two get
 * on, since a checkpoint has two positions; a third waits until one of them is gone. For the
 * shipper's thread.
 *
 * <p>One whose owner has retired it or is gone ends like our own retired ones, without being
 * deleted: then its owner deletes it, or the next scan takes it over with what its owner has
 * written but not shown any more.
 */
final class LiveSpools {

  /** While two have records, each is shipped for so long: a change costs a commit. */
  private static final long SLICE_NS = 100_000_000;

  /** How often to look whether an owner still holds its lock. */
  private static final long LOOK_NS = 1_000_000_000;

  /** In the order of their creation. */
  private final Map<Records, LiveSpool> all = new LinkedHashMap<>();

  /** Ended here; they may still be there. */
  private final Set<InstanceId> ended = new HashSet<>();

  private final OtherForm lines;
  private final Interval look = new Interval();
  private @Nullable Records picked;
  private long pickedNs;

  LiveSpools(OtherForm lines) {
    this.lines = lines;
  }

  /**
   * Adds those in a directory that are not known; what is read of them goes to the listener.
   *
   * @param taken of dead processes: their locks are held too, by us
   */
  void find(ShipLease lease, Collection<Records> taken, ShippingListener listener)
      throws IOException {
    Predicate<InstanceId> isLeftOut = one -> isKnown(one) || Records.find(taken, one) != null;
    for (LiveSpool found : LiveSpool.in(lease.directory(), isLeftOut, lines)) {
      all.put(new Records(lease, found.source(), found, 0, listener), found);
    }
  }

  /** Forgets those that have ended and are gone. */
  void forget(ShipLease lease) throws IOException {
    for (InstanceId gone : List.copyOf(ended)) {
      if (!lease.directory().holds(gone)) {
        ended.remove(gone);
      }
    }
  }

  /** As {@link ShipLease#last}. */
  @Nullable Records last() {
    return ShipLease.last(all.keySet());
  }

  boolean isListed(Records one) {
    LiveSpool spool = all.get(one);
    return spool == null || spool.isListed();
  }

  private boolean isKnown(InstanceId instance) {
    return holds(instance) || ended.contains(instance);
  }

  boolean holds(InstanceId instance) {
    return Records.find(all.keySet(), instance) != null;
  }

  boolean isIn(ShipLease lease) {
    return lease.isOfAny(all.keySet());
  }

  /** The one to begin or resume; null if none can be. */
  @Nullable Records next(long nowNs) throws IOException {
    endDead(nowNs);
    Records last = picked;
    boolean isOver = nowNs - pickedNs >= SLICE_NS;
    if (last == null || !all.containsKey(last) || last.isDrained() || isOver) {
      last = choose(last);
      if (last != picked || isOver) {
        pickedNs = nowNs;
      }
      picked = last;
    }
    return last;
  }

  private @Nullable Records choose(@Nullable Records last) throws IOException {
    List<Records> waiting = new ArrayList<>();
    for (Records one : all.keySet()) {
      if (one.complete && one.hasRoom()) { // nothing of its owner may come before
        return one;
      }
      if (one == last || !one.isDrained() || one.hasUncommitted()) {
        waiting.add(one);
      }
    }
    int at = waiting.indexOf(last);
    for (int i = 1; i <= waiting.size(); i++) {
      Records one = waiting.get((at + i) % waiting.size());
      if (one.hasRoom()) {
        return one;
      }
    }
    return null;
  }

  private void endDead(long nowNs) {
    boolean looks = look.isDue(nowNs);
    for (Map.Entry<Records, LiveSpool> one : all.entrySet()) {
      LiveSpool spool = one.getValue();
      boolean isGone = looks && !spool.isOwned();
      long unused = spool.publishedSequence(); // after that: it is the last one of a dead owner
      one.getKey().complete |= isGone || spool.isRetired();
    }
    if (looks) {
      look.done(nowNs, LOOK_NS);
    }
  }

  /** Looks for owners that are gone in the next turn. */
  void lookNow() {
    look.now();
  }

  /** One is shipped as far as it is shown; whether it was one of these. */
  boolean remove(Records records) {
    boolean isOurs = all.remove(records) != null;
    if (isOurs) {
      ended.add(records.instance());
    }
    return isOurs;
  }

  boolean isEmpty() {
    return all.isEmpty() && ended.isEmpty();
  }

  /** Whether one has ended whose owner has not deleted it, nor freed its lock, at the last look. */
  boolean isEnding() {
    return !ended.isEmpty();
  }

  /** Whether nothing is left in any of them, and none has ended. */
  boolean isSettled() {
    if (isEnding()) {
      return false;
    }
    for (Records one : all.keySet()) {
      if (one.complete || !one.isDrained()) {
        return false;
      }
    }
    return true;
  }

  /** Whether an owner waits until more is committed. */
  boolean isCommitAwaited() {
    for (Map.Entry<Records, LiveSpool> one : all.entrySet()) {
      if (one.getValue().awaited() > one.getKey().committed()) {
        return true;
      }
    }
    return false;
  }

  /** How many records wait in them. */
  long waiting() {
    long waiting = 0;
    for (Map.Entry<Records, LiveSpool> one : all.entrySet()) {
      waiting += one.getValue().publishedSequence() - one.getKey().committed();
    }
    return waiting;
  }

  /** Ends the use of all of them. */
  void close() {
    all.keySet().forEach(Records::leave);
    all.clear();
  }
}
