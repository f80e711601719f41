package dev.forebay.tiered.apart;

import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;

/**
 * Makes destinations of another kind than files from what another process says of them: a service,
 * which the module of the kind provides.
 */
public interface DestinationKind {

  /** The value of the key {@code kind} in its descriptions. */
  String name();

  /**
   * The destination, not opened yet; accesses nothing.
   *
   * @param from what {@link dev.forebay.tiered.ship.Target#description()} returned, with the bytes
   *     {@code header}, {@code footer} and {@code lineEnd}
   * @throws IOException if this process cannot write there; says why, without values, which may be
   *     passwords
   */
  Destination destination(Described from, ShippingListener listener) throws IOException;
}
