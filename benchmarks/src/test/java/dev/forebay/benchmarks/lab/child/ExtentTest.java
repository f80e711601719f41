package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ExtentTest {

  @Test
  void anEarlyBurstComesThreeSecondsAfterTheStart() {
    assertThat(Extent.of(Scenario.EARLY_BURST_2))
        .isEqualTo(new Extent(3_000_000_000L, 0, 60_000, 500_000));
  }

  @Test
  void throughputIsMeasuredAsSoonAsTheProducersAreWarm() {
    assertThat(Extent.of(Scenario.THROUGHPUT_4)).isEqualTo(new Extent(0, 0, 500_000, 2_500_000));
  }

  @Test
  void aMeasuredTimeHasNoNumberOfEvents() {
    assertThat(Extent.of(Scenario.OVERLOAD_64))
        .isEqualTo(new Extent(2_000_000_000L, 10_000_000_000L, 0, 0));
  }
}
