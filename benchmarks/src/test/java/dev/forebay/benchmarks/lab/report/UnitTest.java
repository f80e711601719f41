package dev.forebay.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class UnitTest {

  @Test
  void timesHaveThreeDigitsAndTheUnitThatSuits() {
    assertThat(Unit.TIME.format(347)).isEqualTo("347 ns");
    assertThat(Unit.TIME.format(999.7)).isEqualTo("1.00 µs");
    assertThat(Unit.TIME.format(45_612_000)).isEqualTo("45.6 ms");
    assertThat(Unit.TIME.format(5_012_345_678.0)).isEqualTo("5.01 s");
    assertThat(Unit.TIME.format(-13_800_000)).isEqualTo("-13.8 ms");
    assertThat(Unit.TIME.format(0)).isEqualTo("0 ns");
  }

  @Test
  void thousandsAreSeparatedInEveryLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(Unit.COUNT.format(1_234_567)).isEqualTo("1,234,567");
      assertThat(Unit.PERCENT.format(0.25)).isEqualTo("0.25 %");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aRangeNamesItsUnitOnce() {
    assertThat(Unit.TIME.range(new Spread(0, 330, 361, 3))).isEqualTo("330–361 ns");
    assertThat(Unit.TIME.range(new Spread(0, 951, 1_130, 3))).isEqualTo("951 ns–1.13 µs");
    assertThat(Unit.TIME.range(new Spread(0, 330, 330, 3))).isEqualTo("330 ns");
    assertThat(Unit.PER_SECOND.range(new Spread(0, -12, 40, 3))).isEqualTo("-12 to 40");
  }

  @Test
  void limitsAndAxesHaveNoZerosAtTheEnd() {
    assertThat(Unit.TIME.brief(2_000)).isEqualTo("2 µs");
    assertThat(Unit.EVENTS_PER_SECOND.brief(1_600_000)).isEqualTo("1.6 M/s");
    assertThat(Unit.PER_SECOND.brief(500)).isEqualTo("500/s");
    assertThat(Unit.large(20_000_000)).isEqualTo("20 M");
    assertThat(Unit.large(718_000)).isEqualTo("718 k");
  }
}
