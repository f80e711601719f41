package dev.forebay.it.demo.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.demo.app.Longest.Slots;
import org.junit.jupiter.api.Test;

class LongestTest {

  private static final long MS = 1_000_000;

  /** Starts in the middle of slot 500. */
  private final Longest longest = new Longest(100_100, 7_000 * MS);

  @Test
  void aLatencyBelongsToTheSlotInWhichItBegan() {
    longest.record(7_000 * MS, 5);
    longest.record(7_099 * MS, 900 * MS);
    longest.record(7_100 * MS, 3);
    longest.record(7_120 * MS, 2);
    longest.record(7_500 * MS, 1);

    Slots slots = longest.slots();
    assertThat(slots.at(500)).isEqualTo(900 * MS);
    assertThat(slots.at(501)).isEqualTo(3);
    assertThat(slots.at(502)).isZero();
    assertThat(slots.at(503)).isEqualTo(1);
    assertThat(slots.ns()).hasSize(4);
  }

  @Test
  void whatIsBeforeOrAfterAllSlotsIsLeftOut() {
    longest.record(6_000 * MS, 1);
    longest.record(7_000_000 * MS, 1);

    assertThat(longest.slots()).isEqualTo(new Slots(500, java.util.List.of()));
    assertThat(longest.slots().at(499)).isZero();
    assertThat(Slots.NONE.at(500)).isZero();
  }
}
