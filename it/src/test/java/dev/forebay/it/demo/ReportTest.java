package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final Map<Phase, Latency> CALLS =
      Map.of(
          Phase.BEFORE, new Latency(1000, 410, 2_000, 31_000, 1_500_000),
          Phase.DURING, new Latency(500, 420, 2_100, 32_000, 4_900_000_000L));

  private static Side side(String title, String figures, long lines, String error) {
    Account account = new Account(Figures.parse(figures), new LogFiles(2, lines, 0, ""));
    return new Side(title, CALLS, CALLS, 3, account, error);
  }

  private static final Side FOREBAY =
      side(
          "Forebay",
          "counted=1500 offered=1501 reports=1 delivered=1491 dropped=10 inFlight=0 spoolBytes=0"
              + " dropped.RING_FULL.DEBUG=2 dropped.RING_FULL.TRACE=8",
          1491,
          "No space left on device");
  private static final Side ASYNC =
      side("AsyncAppender", "counted=1500 inFlight=0 queued=0", 1400, "");

  private final List<String> lines = new Report(FOREBAY, ASYNC).lines();

  private String line(String start) {
    return lines.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
  }

  @Test
  void putsBothSidesAndThreePhasesInColumns() {
    assertThat(lines.get(0).strip().split(" +")).containsExactly("Forebay", "AsyncAppender");
    assertThat(lines.get(1).strip().split(" +"))
        .containsExactly("before", "during", "after", "before", "during", "after");
    assertThat(line("  max").strip().split("  +"))
        .containsExactly("max", "1.50 ms", "4.90 s", "-", "1.50 ms", "4.90 s", "-");
    assertThat(lines.stream().filter(line -> line.startsWith("  p")).map(String::length))
        .as("right edges")
        .containsOnly(lines.get(1).length());
  }

  @Test
  void showsDropsByReasonAndWhatNobodyCounted() {
    assertThat(line("events offered").split("  +"))
        .containsExactly("events offered", "1501", "1500");
    assertThat(line("    RING_FULL").strip().split("  +")).containsExactly("RING_FULL", "10");
    assertThat(line("  delivered").strip().split("  +"))
        .containsExactly("delivered", "1491", "not counted");
    assertThat(line("  missing").strip().split("  +")).containsExactly("missing", "0", "100");
    assertThat(line("sums agree").split("  +")).containsExactly("sums agree", "yes", "NO");
  }

  @Test
  void endsWithTheSumsAndWhatTheAppenderReported() {
    assertThat(lines)
        .containsSequence(
            "Forebay: 1501 offered (1500 counted before it + 1 reports of its own)"
                + " = 1491 delivered + 10 dropped + 0 in flight; 1491 lines.",
            "  RING_FULL: {DEBUG=2, TRACE=8}",
            "  newest failure it reported: No space left on device",
            "AsyncAppender: 1500 offered, 1400 lines; 100 missing, which it does not count.",
            "  does not agree: offered 1500 is not lines in the files 1400");
  }
}
