package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.identity.LogNote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SiblingsTest {

  private final List<String> told = new ArrayList<>();

  @Test
  void warningsOfWhatShipsForADeadProcessAreToldAndItsFailuresAreNotOurs() {
    ShippingListener ours =
        new ShippingListener() {
          @Override
          public void warn(String text) {
            told.add(text);
          }

          @Override
          public void failed(Exception cause) {
            told.add(cause.toString());
          }
        };
    Function<ShippingListener, Destination> refusing =
        listener -> {
          listener.warn("refused");
          listener.failed(new IOException("gone"));
          return null;
        };

    new Siblings(refusing, () -> null, ours, false).of(new LogNote("key", "name", "path", true));

    assertThat(told).containsExactly("refused");
  }
}
