package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VerdictTest {

  private static final Disturbance.Window WINDOW = new Disturbance.Window(2001, 7003);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FOREBAY | 10000 | 9990 | 10 | | |",
        "ASYNC | 10000 | 9000 | 10 | | "
            + "| 10,000 events offered, 9,000 lines, 10 dropped: 990 unaccounted for",
        "FILE | 10 | 11 | 0 | | | 10 events offered, 11 lines, 0 dropped: -1 unaccounted for",
        "NONE | 10 | 0 | 0 | | |",
        "FILE | 10 | 10 | 0 | | no fault | no fault",
        "FILE | 10 | 9 | 0 | mine | no fault | mine"
      })
  void aRunIsVoidIfItsEventsDoNotAddUpOrItsFaultDidNotHappen(
      Peer peer,
      double offered,
      double lines,
      double dropped,
      @Nullable String childSays,
      @Nullable String fault,
      @Nullable String reason) {
    Measurement judged =
        Verdict.on(
            measured(Scenario.STEADY, peer, offered, lines, dropped, childSays), WINDOW, fault);

    assertThat(judged.voidBecause()).isEqualTo(reason);
    assertThat(judged.faultFromMs()).isEqualTo(2001);
    assertThat(judged.faultToMs()).isEqualTo(7003);
  }

  @ParameterizedTest
  @CsvSource({
    "FOREBAY, STEADY, 10, , false",
    "FOREBAY, STEADY, 9, lost, true",
    "FOREBAY_RING, STEADY, 9, lost, true",
    "ASYNC, STEADY, 9, lost, false",
    "FOREBAY_RING, FULL_DISK, 9, lost, false",
    "FOREBAY_RING, FULL_DISK, 11, doubled, true",
    "FOREBAY, FULL_DISK, 9, lost, true"
  })
  void aVoidRunOfOursIsADefectUnlessAFullDiskBehindTheRingLostIt(
      Peer peer, Scenario scenario, double lines, @Nullable String reason, boolean isDefect) {
    assertThat(Verdict.isDefect(measured(scenario, peer, 10, lines, 0, reason)))
        .isEqualTo(isDefect);
  }

  private static Measurement measured(
      Scenario scenario,
      Peer peer,
      double offered,
      double lines,
      double dropped,
      @Nullable String reason) {
    return new Measurement(
        scenario,
        peer,
        1,
        Map.of(Figure.OFFERED, offered, Figure.LINES, lines, Figure.DROPPED, dropped),
        new Histogram(3),
        List.of(),
        -1,
        -1,
        reason);
  }
}
