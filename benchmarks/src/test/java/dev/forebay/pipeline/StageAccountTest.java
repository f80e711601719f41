package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.forebay.benchmarks.EncoderKind;
import org.junit.jupiter.api.Test;

/** The accounts that make a run of the ring's and the drain's benchmarks void. */
class StageAccountTest {

  @Test
  void anEventThatNobodyOfferedMakesTheRunVoid() {
    DrainedRing ring = new DrainedRing();
    ring.start(1);
    assertThat(ring.offer()).isTrue();

    assertThatIllegalStateException()
        .isThrownBy(ring::tearDown)
        .withMessage("accepted 0, counted by the ring 1, polled 1: run void");
  }

  @Test
  void aRingThatIsNotEmptyMakesTheRunVoid() {
    DrainLine line = new DrainLine();
    line.encoder = EncoderKind.CONSTANT;
    line.setUp();
    line.fill();

    assertThatIllegalStateException()
        .isThrownBy(line::fill)
        .withMessage("the ring is not empty: run void");
    line.tearDown();
  }
}
