package dev.forebay.it.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.framework.BootProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatlingTableTest {

  private static final GatlingLoad LOAD = new GatlingLoad(2, 5);
  private static final GatlingRun FROZEN =
      new GatlingRun(GatlingApp.PLAY, GatlingAppender.ASYNC, GatlingCondition.FROZEN);
  private static final GatlingRun HEALTHY =
      new GatlingRun(GatlingApp.PLAY, GatlingAppender.FOREBAY, GatlingCondition.HEALTHY);

  private static GatlingResult result(GatlingRun run, long p999Ms, long ko, long lines) {
    Map<String, GatlingReport.Row> rows =
        Map.of(
            GatlingReport.ALL, new GatlingReport.Row(10, 10 - ko, ko, 1, 2, 3, p999Ms, 9000),
            GatlingRun.WINDOW, new GatlingReport.Row(4, 4 - ko, ko, 1, 2, 3, p999Ms, 5000));
    GatlingTarget.End end =
        new GatlingTarget.End(1000, new BootProcess.Account(1000, 1000, 0, 0, 0), true);
    GatlingLog log = new GatlingLog(lines, 0, 830, 0, List.of());
    GatlingOutcome outcome =
        new GatlingOutcome(rows, 0, Duration.ofMillis(500), end, log, List.of(), 0);
    return new GatlingResult(run, 1, outcome, "");
  }

  @Test
  void givesMediansAndSpansOfEachKindOfRun() {
    List<String> table =
        GatlingTable.of(
            List.of(
                result(FROZEN, 40, 0, 1000),
                result(FROZEN, 4000, 1, 900),
                result(FROZEN, 50, 0, 1000),
                result(HEALTHY, 7, 0, 1000)));

    assertThat(table).hasSize(4);
    assertThat(table.get(2))
        .startsWith("| play | frozen | async | 10 | 100.00 (90.00–100.00) | 8 | 1 | 3 ")
        .endsWith("| 50 (40–4000) | 5000 | 1000 | 1000 (900–1000) | 0 (0–100) |");
    assertThat(table.get(3)).startsWith("| play | healthy | forebay | 10 | 100.00 | 8 ");
  }

  @Test
  void tellsOfRunsThatFailed() {
    GatlingResult failed = new GatlingResult(FROZEN, 2, null, "no load");

    assertThat(GatlingTable.of(List.of(failed)).get(2)).contains("| failed |");
    assertThat(GatlingTable.of(List.of(failed, result(FROZEN, 40, 0, 1000))).get(2))
        .contains("| 40 |");
    assertThat(failed.line()).contains("repetition 2: failed, no load");
    assertThat(GatlingTable.median(List.of(failed), FROZEN, outcome -> 1)).isNaN();
  }

  @Test
  void findsWhatForebayDidNotHold() {
    assertThat(result(HEALTHY, 7, 0, 1000).outcome().faults(LOAD)).isEmpty();
    assertThat(result(HEALTHY, 7, 2, 999).outcome().faults(LOAD))
        .containsExactly(
            "requests that failed: 2, not 0",
            "lines in the files, for each event offered: 999, not 1000");
  }
}
