package dev.forebay.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SpreadTest {

  @Test
  void ofAnOddNumberTheMiddleOneIsTheMedian() {
    assertThat(Spread.of(DoubleStream.of(9, 1, 4))).contains(new Spread(4, 1, 9, 3));
  }

  @Test
  void ofAnEvenNumberTheMeanOfTheTwoInTheMiddle() {
    assertThat(Spread.of(DoubleStream.of(10, 1, 4, 2))).contains(new Spread(3, 1, 10, 4));
  }

  @Test
  void whatIsNoNumberDoesNotCount() {
    assertThat(Spread.of(DoubleStream.of(Double.NaN, 7, Double.POSITIVE_INFINITY)))
        .contains(new Spread(7, 7, 7, 1));
    assertThat(Spread.of(DoubleStream.of(Double.NaN))).isEmpty();
  }
}
