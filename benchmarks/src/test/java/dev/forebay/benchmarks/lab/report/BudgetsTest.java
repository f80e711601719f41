package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Peer.FILE;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY_FLIGHT;
import static dev.forebay.benchmarks.lab.Peer.LOG4J2;
import static dev.forebay.benchmarks.lab.Peer.NONE;
import static dev.forebay.benchmarks.lab.Peer.TINYLOG;
import static dev.forebay.benchmarks.lab.Scenario.FROZEN_DISK;
import static dev.forebay.benchmarks.lab.Scenario.RECORDED;
import static dev.forebay.benchmarks.lab.Scenario.STEADY;
import static dev.forebay.benchmarks.lab.Scenario.THROUGHPUT_2;
import static dev.forebay.benchmarks.lab.report.MadeRuns.calls;
import static dev.forebay.benchmarks.lab.report.MadeRuns.figures;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import dev.forebay.benchmarks.lab.report.Budgets.Budget;
import dev.forebay.benchmarks.lab.report.Verdict.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class BudgetsTest {

  private static final String P50 = "forebay  steady  P50  -  <= 200";
  private static final String SWITCHES = "forebay  steady  SWITCHES  above none  <= 150";

  @Test
  void theMedianIsJudged() {
    assertThat(verdict(P50, call(1, 150), call(2, 190), call(3, 900)).state()).isEqualTo(State.MET);
    assertThat(verdict(P50, call(1, 150), call(2, 210), call(3, 900)).state())
        .isEqualTo(State.MISSED);
    assertThat(verdict("forebay  steady  P50  -  >= 200", call(1, 300)).state())
        .isEqualTo(State.MET);
  }

  @Test
  void whatIsNotJudgedSaysWhy() {
    assertThat(verdict(P50).why()).isEqualTo("steady was not run");
    assertThat(verdict(P50, calls(STEADY, FILE, 1, 5)).why())
        .isEqualTo("Forebay TieredAppender was not run");
    assertThat(verdict(P50, call(1, 300).with(-1, -1, "lost an event")).why())
        .isEqualTo("Forebay TieredAppender has void runs only: lost an event");
    assertThat(verdict(P50, figures(STEADY, FOREBAY, 1, Map.of())).why())
        .isEqualTo("Forebay TieredAppender has no such figure");
    assertThat(verdict(SWITCHES, switches(FOREBAY, 1_100)).why())
        .isEqualTo("no appender was not run");
    assertThat(verdict("forebay  steady  P50  -  none", call(1, 300)))
        .matches(verdict -> verdict.state() == State.NOT_JUDGED && verdict.value() != null)
        .extracting(Verdict::why)
        .asString()
        .startsWith("shown only");
  }

  @Test
  void theFloorIsTakenOffAndNobodyHasLessThanNone() {
    Measurement ours = switches(FOREBAY, 1_100);

    assertThat(verdict(SWITCHES, ours, switches(NONE, 1_000)).value())
        .isEqualTo(new Spread(100, 100, 100, 1));
    assertThat(verdict(SWITCHES, ours, switches(NONE, 900)).state()).isEqualTo(State.MISSED);
    assertThat(verdict(SWITCHES, ours, switches(NONE, 1_200)).value())
        .isEqualTo(new Spread(0, 0, 0, 1));
  }

  @Test
  void aRatioIsThatOfTheSameRepetition() {
    assertThat(
            verdict(
                    "forebay  throughput-2  RATE  over log4j2  >= 1.2",
                    rate(FOREBAY, 1, 9e5),
                    rate(LOG4J2, 1, 3e5),
                    rate(FOREBAY, 2, 8e5),
                    rate(LOG4J2, 2, 4e5),
                    rate(FOREBAY, 3, 1e9))
                .value())
        .isEqualTo(new Spread(2.5, 2, 3, 2));
    String tail = "forebay-flight  recorded  LONGEST  over forebay P999  <= 2";
    Measurement without = calls(RECORDED, FOREBAY, 1, 100);
    assertThat(verdict(tail, without, calls(RECORDED, FOREBAY_FLIGHT, 1, 150)).value())
        .isEqualTo(new Spread(1.5, 1.5, 1.5, 1));
    assertThat(verdict(tail, without, calls(RECORDED, FOREBAY_FLIGHT, 2, 150)).why())
        .isEqualTo("no repetition has both");
  }

  @Test
  void rivalsAreNeitherOursNorTheFloorNorVoid() {
    Verdict verdict =
        verdict(
            P50,
            call(1, 300),
            calls(STEADY, NONE, 1, 100),
            calls(STEADY, FILE, 1, 3_000),
            calls(STEADY, LOG4J2, 1, 1_500),
            calls(STEADY, TINYLOG, 1, 1_000).with(-1, -1, "lost an event"));

    assertThat(verdict.others())
        .extracting(Verdict.Rival::name)
        .containsExactly(FILE.label(), LOG4J2.label());
  }

  @Test
  void everyBudgetHasAValueWhenAllWasMeasured() throws Exception {
    List<Measurement> all =
        Stream.of(Scenario.values())
            .flatMap(in -> Stream.of(Peer.values()).map(peer -> MadeRuns.of(in, peer, 1)))
            .toList();

    assertThat(new Budgets(new LabRuns(all)).verdicts())
        .hasSize(38)
        .allSatisfy(of -> assertThat(of.value()).as(of.in() + " " + of.measure()).isNotNull());
  }

  @Test
  void aCallThatBeganInTheFaultBelongsToItHoweverLateItReturned() {
    List<Long> longest = new ArrayList<>(Collections.nCopies(90, 1_000_000L));
    longest.set(71, 5_000_000_000L);
    assertThat(Measure.FAULT_RATIO.applyAsDouble(faulty(longest))).isEqualTo(5_000);
    longest.set(71, 1_000_000L);
    longest.set(80, 4_000_000L);
    assertThat(Measure.FAULT_RATIO.applyAsDouble(faulty(longest))).isEqualTo(0.25);
    assertThat(Measure.FAULT_RATIO.applyAsDouble(call(1, 5))).isNaN();
  }

  @Test
  void aPeerThatKeepsNothingLosesNothing() {
    Map<Figure, Double> figures = Map.of(Figure.OFFERED, 10.0, Figure.LINES, 0.0);

    assertThat(Measure.known(figures(STEADY, NONE, 1, figures))).containsOnlyKeys(Measure.OFFERED);
    assertThat(Measure.known(figures(STEADY, FILE, 1, figures)))
        .containsEntry(Measure.LOST, 10.0)
        .containsEntry(Measure.UNACCOUNTED, 10.0);
  }

  private static Verdict verdict(String budget, Measurement... runs) {
    return new Budgets(new LabRuns(List.of(runs))).verdict(Budget.parse(budget));
  }

  private static Measurement call(int repetition, long ns) {
    return calls(STEADY, FOREBAY, repetition, ns);
  }

  private static Measurement switches(Peer peer, double perSecond) {
    return figures(
        STEADY, peer, 1, Map.of(Figure.VOLUNTARY_SWITCHES, 5 * perSecond, Figure.ELAPSED_NS, 5e9));
  }

  private static Measurement rate(Peer peer, int repetition, double perSecond) {
    Map<Figure, Double> figures = Map.of(Figure.CALLS, 2 * perSecond, Figure.ELAPSED_NS, 2e9);
    return figures(THROUGHPUT_2, peer, repetition, figures);
  }

  private static Measurement faulty(List<Long> longest) {
    return new Measurement(
        FROZEN_DISK, FOREBAY, 1, Map.of(), new Histogram(3), longest, 2_000, 7_000, null);
  }
}
