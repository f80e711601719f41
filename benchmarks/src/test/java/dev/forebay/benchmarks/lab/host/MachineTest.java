package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MachineTest {

  @Test
  void stealAndIdleAreSharesOfAllTime() {
    ProcessorTime begin = ProcessorTime.parse("cpu  100 0 100 700 0 0 50 50 30 0");
    ProcessorTime end = ProcessorTime.parse("cpu  150 0 120 720 0 0 50 60 80 0");

    assertThat(end.stealPercentSince(begin)).isEqualTo(10);
    assertThat(end.idlePercentSince(begin)).isEqualTo(20);
    assertThat(begin.idlePercentSince(begin)).isZero();
  }
}
