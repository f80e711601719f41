package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Peer.FILE;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY_FLIGHT;
import static dev.forebay.benchmarks.lab.Peer.LOG4J2;
import static dev.forebay.benchmarks.lab.Peer.NONE;
import static dev.forebay.benchmarks.lab.Peer.TINYLOG;
import static dev.forebay.benchmarks.lab.Scenario.RECORDED;
import static dev.forebay.benchmarks.lab.Scenario.STEADY;
import static dev.forebay.benchmarks.lab.Scenario.THROUGHPUT_2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.report.Budget.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class BudgetsTest {

  @Test
  void theMedianIsJudged() {
    Budget p50 = budget("log call, p50");

    assertThat(p50.verdict(summary(call(1, 150), call(2, 190), call(3, 900))))
        .isEqualTo(Verdict.MET);
    assertThat(p50.verdict(summary(call(1, 150), call(2, 210), call(3, 900))))
        .isEqualTo(Verdict.MISSED);
  }

  @Test
  void withoutARunThatCountsTheAnswerIsUnknown() {
    Budget p50 = budget("log call, p50");

    assertThat(p50.verdict(summary())).isEqualTo(Verdict.UNKNOWN);
    assertThat(p50.verdict(summary(call(1, 300).with(-1, -1, "lost an event"))))
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aBudgetAboveTheFloorNeedsTheFloor() {
    Budget switches = budget("voluntary context switches, steady");
    Measurement ours = switches(FOREBAY, 1_100);

    assertThat(switches.verdict(summary(ours))).isEqualTo(Verdict.UNKNOWN);
    assertThat(switches.value(summary(ours, switches(NONE, 1_000))))
        .hasValueSatisfying(of -> assertThat(of.median()).isEqualTo(100));
    assertThat(switches.verdict(summary(ours, switches(NONE, 1_000)))).isEqualTo(Verdict.MET);
    assertThat(switches.verdict(summary(ours, switches(NONE, 900)))).isEqualTo(Verdict.MISSED);
  }

  @Test
  void switchesBelowTheFloorAreNone() {
    Budget switches = budget("voluntary context switches, steady");

    assertThat(switches.value(summary(switches(FOREBAY, 980), switches(NONE, 1_000))))
        .contains(new Spread(0, 0, 0, 1));
  }

  @Test
  void aRatioIsThatOfTheSameRepetition() {
    Budget beside = budget("times the rate of Log4j2 async loggers, throughput-2");

    assertThat(
            beside.value(
                summary(
                    rate(FOREBAY, 1, 9e5),
                    rate(LOG4J2, 1, 3e5),
                    rate(FOREBAY, 2, 8e5),
                    rate(LOG4J2, 2, 4e5),
                    rate(FOREBAY, 3, 1e9))))
        .contains(new Spread(2.5, 2, 3, 2));
  }

  @Test
  void aRecordersTailIsComparedWithThatOfTheSameRepetitionWithoutOne() {
    Budget tail = budget("log call beside the recorder, p99.9");
    Measurement without = MadeRuns.calls(RECORDED, FOREBAY, 1, 100);

    assertThat(tail.value(summary(without, MadeRuns.calls(RECORDED, FOREBAY_FLIGHT, 1, 150))))
        .contains(new Spread(1.5, 1.5, 1.5, 1));
    assertThat(tail.verdict(summary(without, MadeRuns.calls(RECORDED, FOREBAY_FLIGHT, 2, 150))))
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void aRecorderWritesNoWholeByteToTheDisk() {
    Budget bytes = budget("bytes to the disk, a recorded event");

    assertThat(bytes.verdict(summary(toDisk(FOREBAY, 20), toDisk(FOREBAY_FLIGHT, 20.4))))
        .isEqualTo(Verdict.MET);
    assertThat(bytes.verdict(summary(toDisk(FOREBAY, 20), toDisk(FOREBAY_FLIGHT, 21))))
        .isEqualTo(Verdict.MISSED);
  }

  @Test
  void allocationIsShownAndNotJudged() {
    Summary summary = summary(bytes(FOREBAY, 368), bytes(NONE, 160), bytes(FILE, 900));

    assertThat(budget("allocation by the caller, above the floor").verdict(summary))
        .isEqualTo(Verdict.NOT_JUDGED);
    assertThat(budget("allocation by the caller, above RollingFileAppender").value(summary))
        .hasValueSatisfying(of -> assertThat(of.median()).isEqualTo(-532));
  }

  @Test
  void theBestRivalIsNeitherOursNorTheFloorNorVoid() {
    Summary summary =
        summary(
            call(1, 300),
            MadeRuns.calls(STEADY, NONE, 1, 100),
            MadeRuns.calls(STEADY, FILE, 1, 3_000),
            MadeRuns.calls(STEADY, LOG4J2, 1, 2_000),
            MadeRuns.calls(STEADY, TINYLOG, 1, 1_000).with(-1, -1, "lost an event"));

    assertThat(Rival.of(budget("log call, p50"), summary))
        .hasValueSatisfying(
            rival -> {
              assertThat(rival.name()).isEqualTo(LOG4J2.label());
              assertThat(rival.value()).isBetween(1_990.0, 2_010.0);
            });
    assertThat(Rival.of(budget("log call, p50"), summary(call(1, 300)))).isEmpty();
  }

  @Test
  void everyBudgetHasAValueWhenAllWasMeasured() {
    Summary summary =
        summary(
            Arrays.stream(Scenario.values())
                .flatMap(
                    scenario ->
                        Arrays.stream(Peer.values()).map(peer -> MadeRuns.of(scenario, peer, 1)))
                .toArray(Measurement[]::new));

    assertThat(Budgets.ALL)
        .allSatisfy(budget -> assertThat(budget.value(summary)).as(budget.source()).isPresent());
  }

  private static Budget budget(String what) {
    return Budgets.ALL.stream().filter(of -> of.what().equals(what)).findFirst().orElseThrow();
  }

  private static Summary summary(Measurement... runs) {
    return new Summary(List.of(runs));
  }

  private static Measurement call(int repetition, long ns) {
    return MadeRuns.calls(STEADY, FOREBAY, repetition, ns);
  }

  private static Measurement switches(Peer peer, double perSecond) {
    return MadeRuns.figures(
        STEADY, peer, 1, Map.of(Figure.VOLUNTARY_SWITCHES, 5 * perSecond, Figure.ELAPSED_NS, 5e9));
  }

  private static Measurement rate(Peer peer, int repetition, double perSecond) {
    return MadeRuns.figures(
        THROUGHPUT_2,
        peer,
        repetition,
        Map.of(Figure.CALLS, 2 * perSecond, Figure.ELAPSED_NS, 2e9));
  }

  private static Measurement toDisk(Peer peer, double anEvent) {
    return MadeRuns.figures(
        RECORDED, peer, 1, Map.of(Figure.TRACE_CALLS, 10.0, Figure.DISK_BYTES, 10 * anEvent));
  }

  private static Measurement bytes(Peer peer, double anEvent) {
    return MadeRuns.figures(
        STEADY, peer, 1, Map.of(Figure.CALLS, 10.0, Figure.CALLER_ALLOCATED_BYTES, 10 * anEvent));
  }
}
