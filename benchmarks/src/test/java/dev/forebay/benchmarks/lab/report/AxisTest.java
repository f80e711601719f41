package dev.forebay.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class AxisTest {

  @Test
  void eachNineTakesTheSameRoomAndTheLastPercentIsTheEnd() {
    Axis axis = new PercentileAxis(0, 515);

    assertThat(axis.at(0)).isZero();
    assertThat(axis.at(90)).isEqualTo(100, within(1e-6));
    assertThat(axis.at(99)).isEqualTo(200, within(1e-6));
    assertThat(axis.at(99.999)).isEqualTo(500, within(1e-3));
    assertThat(axis.at(99.9999999)).isEqualTo(515);
    assertThat(axis.at(100)).isEqualTo(515);
    assertThat(labels(axis)).contains("50", "90", "99", "99.9", "99.99", "99.999");
  }

  @Test
  void thePercentageAtAPartOfTheAxisIsDrawnThere() {
    Axis axis = new PercentileAxis(0, 1);

    assertThat(axis.at(PercentileAxis.percentAt(0.37))).isEqualTo(0.37, within(1e-9));
  }

  @Test
  void timesTakeWholeDecadesWithTheirUnits() {
    Axis axis = LogTimeAxis.over(400, 0, DoubleStream.of(0, 230, 2_000_000));

    assertThat(labels(axis)).containsExactly("100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms");
    assertThat(axis.at(100)).isEqualTo(400);
    assertThat(axis.at(1_000)).isEqualTo(320, within(1e-6));
    assertThat(axis.at(10_000_000)).isEqualTo(0, within(1e-6));
  }

  @Test
  void timesBeyondTheAxisAreDrawnAtItsEnd() {
    Axis axis = LogTimeAxis.over(100, 0, DoubleStream.of(1_000, 5_000));

    assertThat(axis.at(0)).isEqualTo(100);
    assertThat(axis.at(1e12)).isZero();
  }

  @Test
  void anAxisOfNoTimesOrOfOneStillHasADecade() {
    assertThat(labels(LogTimeAxis.over(1, 0, DoubleStream.empty()))).hasSize(2);
    assertThat(labels(LogTimeAxis.over(1, 0, DoubleStream.of(1_000))))
        .containsExactly("1 µs", "10 µs");
  }

  @Test
  void secondsAreSecondsHoweverMany() {
    assertThat(labels(LogTimeAxis.over(1, 0, DoubleStream.of(1e9, 5e10))))
        .containsExactly("1 s", "10 s", "100 s");
  }

  @Test
  void aLinearAxisHasRoundStepsFromZero() {
    Axis axis = new LinearAxis(0, 90, 9, Unit::large);

    assertThat(labels(axis)).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    assertThat(axis.at(4.5)).isEqualTo(45);
    assertThat(labels(new LinearAxis(0, 1, 7_300_000, Unit::large)))
        .containsExactly("0", "1 M", "2 M", "3 M", "4 M", "5 M", "6 M", "7 M");
    assertThat(labels(new LinearAxis(0, 1, 0, Unit::large))).isNotEmpty();
  }

  private static List<String> labels(Axis axis) {
    return axis.ticks().stream().map(Axis.Tick::label).toList();
  }
}
