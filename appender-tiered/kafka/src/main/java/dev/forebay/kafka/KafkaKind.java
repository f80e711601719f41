package dev.forebay.kafka;

import dev.forebay.tiered.apart.DestinationKind;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.util.List;

/**
 * Writes to a topic in a process that only ships, as the application itself would.
 *
 * @hidden found by {@code ServiceLoader}
 */
public final class KafkaKind implements DestinationKind {

  /** For {@code ServiceLoader}. */
  public KafkaKind() {}

  @Override
  public String name() {
    return KafkaSettings.KIND;
  }

  @Override
  @SuppressWarnings("exports")
  public Destination destination(Described from, ShippingListener listener) throws IOException {
    KafkaSettings settings = KafkaSettings.of(from);
    List<String> faults = KafkaSettings.faults(settings.client());
    if (!faults.isEmpty()) { // such as a class of the application
      throw new IOException(
          "this process cannot write to topic %s: Kafka's client says: %s"
              .formatted(settings.topic(), String.join("; ", faults)));
    }
    return new TopicDestination(settings, from.bytes("lineEnd"), listener);
  }
}
