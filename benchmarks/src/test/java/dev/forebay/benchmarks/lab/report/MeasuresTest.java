package dev.forebay.benchmarks.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class MeasuresTest {

  @Test
  void aCallThatBeganInTheFaultBelongsToItHoweverLateItReturned() {
    List<Long> longest = steps(90, 1_000_000);
    longest.set(71, 5_000_000_000L);

    assertThat(Measures.faultRatio(faulty(longest))).hasValue(5_000);
  }

  @Test
  void aLongCallAfterTheFaultDoesNotBelongToIt() {
    List<Long> longest = steps(90, 1_000_000);
    longest.set(80, 4_000_000L);

    assertThat(Measures.faultRatio(faulty(longest))).hasValue(0.25);
  }

  @Test
  void withoutAFaultOrCallsOutsideOfItThereIsNoRatio() {
    assertThat(Measures.faultRatio(MadeRuns.calls(Scenario.STEADY, Peer.FILE, 1, 5))).isEmpty();
    assertThat(Measures.faultRatio(faulty(steps(90, 0)))).isEmpty();
  }

  @Test
  void theJvmsOwnThreadsAreNotTheAppenders() {
    Measurement run =
        MadeRuns.figures(
            Scenario.IDLE,
            Peer.FOREBAY,
            1,
            Map.of(Figure.OTHER_CPU_NS, 30e6, Figure.JVM_CPU_NS, 10e6, Figure.ELAPSED_NS, 5e9));

    assertThat(Measures.cpuPercent(run)).hasValue(0.4);
  }

  @Test
  void whatWasNotMeasuredHasNoValue() {
    Measurement run =
        MadeRuns.figures(
            Scenario.STEADY, Peer.FILE, 1, Map.of(Figure.CALLS, 0.0, Figure.LINES, 1.0));

    assertThat(Measures.callerCpuPerEvent(run)).isEmpty();
    assertThat(Measures.lost(run)).isEmpty();
    assertThat(Measures.unaccounted(run)).isEmpty();
    assertThat(Measures.percentile(50).of(run)).isEmpty();
  }

  @Test
  void aPeerThatKeepsNothingLosesNothing() {
    Map<Figure, Double> figures = Map.of(Figure.OFFERED, 10.0, Figure.LINES, 0.0);

    assertThat(Measures.lost(MadeRuns.figures(Scenario.STEADY, Peer.NONE, 1, figures))).isEmpty();
    assertThat(Measures.lostPercent(MadeRuns.figures(Scenario.STEADY, Peer.FILE, 1, figures)))
        .hasValue(100);
  }

  private static List<Long> steps(int count, long ns) {
    return new ArrayList<>(Collections.nCopies(count, ns));
  }

  private static Measurement faulty(List<Long> longest) {
    return new Measurement(
        Scenario.FROZEN_DISK,
        Peer.FOREBAY,
        1,
        Map.of(),
        new Histogram(3),
        longest,
        2_000,
        7_000,
        null);
  }
}
