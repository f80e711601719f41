package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {

  @Test
  void givesDurationsAUnitThatFitsThem() {
    assertThat(Text.duration(0)).isEqualTo("0.00 us");
    assertThat(Text.duration(412)).isEqualTo("0.41 us");
    assertThat(Text.duration(12_345)).isEqualTo("12.3 us");
    assertThat(Text.duration(999_400)).isEqualTo("999 us");
    assertThat(Text.duration(5_000_000)).isEqualTo("5.00 ms");
    assertThat(Text.duration(4_987_000_000L)).isEqualTo("4.99 s");
    assertThat(Text.duration(30_000_000_000L)).isEqualTo("30.0 s");
  }

  @Test
  void givesAFillAsPercentage() {
    assertThat(Text.percent(16384, 32768)).isEqualTo("50 %");
    assertThat(Text.percent(5, 0)).isEqualTo("0 %");
  }
}
