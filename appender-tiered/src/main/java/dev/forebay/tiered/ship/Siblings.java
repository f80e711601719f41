package dev.forebay.tiered.ship;

import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.identity.LogNote;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What other processes of the same program have left for the same target: there may be no next
 * start with as many at once.
 *
 * @param target makes the place of their records
 * @param listener receives warnings only
 * @param keepsLeft whether all of it stays where it is
 */
public record Siblings(
    Function<ShippingListener, Destination> target,
    Supplier<LogIdentity> own,
    ShippingListener listener,
    boolean keepsLeft)
    implements StrayShipper.Targets {

  @Override
  public boolean mayShip(LogNote note) {
    return !keepsLeft && note.directoryKey().equals(own.get().directoryKey());
  }

  @Override
  public Destination of(LogNote note) {
    return target.apply(new StrayRun.RecoveredOnly(listener));
  }
}
