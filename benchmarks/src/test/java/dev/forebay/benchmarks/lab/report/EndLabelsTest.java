package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Peer.ASYNC;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY;
import static dev.forebay.benchmarks.lab.Peer.TINYLOG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Peer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class EndLabelsTest {

  @Test
  void aLabelIsAtTheEndOfItsLineAndLitLinesComeFirst() {
    EndLabels labels =
        EndLabels.of(Map.of(ASYNC, 500.0, FOREBAY, 505.0, TINYLOG, 900.0), List.of(FOREBAY));

    assertThat(labels.of(FOREBAY)).isEqualTo(505);
    assertThat(labels.of(TINYLOG)).isEqualTo(900);
    assertThat(labels.of(ASYNC)).isBetween(505 - 1.1 * EndLabels.HEIGHT, 505 - EndLabels.HEIGHT);
  }

  @Test
  void noLabelIsOverAnother() {
    Map<Peer, Double> ends = new EnumMap<>(Peer.class);
    for (Peer peer : Peer.values()) {
      ends.put(peer, 990.0);
    }

    EndLabels labels = EndLabels.of(ends, List.of(FOREBAY, ASYNC));

    double[] places = Arrays.stream(Peer.values()).mapToDouble(labels::of).sorted().toArray();
    for (int i = 1; i < places.length; i++) {
      assertThat(places[i] - places[i - 1]).isGreaterThanOrEqualTo(EndLabels.HEIGHT);
    }
    assertThat(places[0]).isNotNegative();
    assertThat(places[places.length - 1]).isLessThanOrEqualTo(Frame.SIDE);
  }
}
