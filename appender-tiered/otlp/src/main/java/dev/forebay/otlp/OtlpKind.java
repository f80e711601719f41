package dev.forebay.otlp;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.DestinationKind;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;

/**
 * Sends to a collector in a process that only ships, as the application itself would.
 *
 * @hidden found by {@code ServiceLoader}
 */
public final class OtlpKind implements DestinationKind {

  /** For {@code ServiceLoader}. */
  public OtlpKind() {}

  @Override
  public String name() {
    return OtlpSettings.KIND;
  }

  @Override
  @SuppressWarnings("exports")
  public Destination destination(Described from, ShippingListener listener) throws IOException {
    return new CollectorDestination(
        OtlpSettings.of(from), from.bytes("lineEnd"), listener, NanoClock.SYSTEM);
  }
}
