package dev.forebay.tiered.ship;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class RetryDelayTest {

  private final RetryDelay delay = new RetryDelay();

  @Test
  void nothingIsDelayedBeforeAFailure() {
    assertThat(delay.isOver(Long.MIN_VALUE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5, Long.MAX_VALUE - 1000})
  void doublesFromTwentyMillisecondsToTwoSeconds(long startNs) {
    long expectedNs = 20_000_000;
    for (int failure = 0; failure < 12; failure++) {
      delay.failed(startNs);
      assertThat(delay.isOver(startNs + expectedNs - 1)).as("failure %d", failure).isFalse();
      assertThat(delay.isOver(startNs + expectedNs)).as("failure %d", failure).isTrue();
      expectedNs = Math.min(2_000_000_000, 2 * expectedNs);
    }
  }

  @Test
  void beginsAnewAfterASuccess() {
    delay.failed(0);
    delay.failed(0);
    delay.succeeded();
    assertThat(delay.isOver(0)).isTrue();
    delay.failed(0);
    assertThat(delay.isOver(20_000_000)).isTrue();
  }
}
