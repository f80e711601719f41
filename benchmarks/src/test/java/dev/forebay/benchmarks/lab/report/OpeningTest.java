package dev.forebay.benchmarks.lab.report;

import static dev.forebay.benchmarks.lab.Peer.ASYNC;
import static dev.forebay.benchmarks.lab.Peer.FILE;
import static dev.forebay.benchmarks.lab.Peer.FOREBAY;
import static dev.forebay.benchmarks.lab.Scenario.FROZEN_DISK;
import static dev.forebay.benchmarks.lab.Scenario.STEADY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class OpeningTest {

  @Test
  void theVerdictIsThatOfTheFrozenDisk() {
    assertThat(
            verdict(
                frozen(FOREBAY, 460_000, 100, 0),
                frozen(FILE, 5_000_000_000L, 100, 0),
                frozen(ASYNC, 1_000, 61, 0).with(-1, -1, "39 unaccounted for")))
        .isEqualTo(
            "While the log disk is frozen for 5\u00a0s, the longest log call of TieredAppender takes"
                + " 460 µs and it loses no event; that of RollingFileAppender takes 5.00 s,"
                + " AsyncAppender loses 39 %, uncounted.");
  }

  @Test
  void ourOwnLossIsSaidToo() {
    assertThat(verdict(frozen(FOREBAY, 460_000, 75, 25)))
        .endsWith("takes 460 µs and it loses 25 % of the events.");
  }

  @Test
  void withoutAFrozenDiskTheBudgetsAreCounted() {
    assertThat(verdict()).isEqualTo("No budget of TieredAppender was measured in this run.");
    assertThat(verdict(MadeRuns.calls(STEADY, FOREBAY, 1, 360)))
        .isEqualTo("TieredAppender meets 2 of the 3 budgets that were measured in this run.");
  }

  private static String verdict(Measurement... runs) {
    return Opening.verdict(new Summary(List.of(runs)));
  }

  private static Measurement frozen(Peer peer, long longestNs, double lines, double dropped) {
    Measurement run =
        MadeRuns.figures(
            FROZEN_DISK,
            peer,
            1,
            Map.of(Figure.OFFERED, 100.0, Figure.LINES, lines, Figure.DROPPED, dropped));
    run.calls().recordValue(longestNs);
    return run;
  }
}
