package dev.forebay.benchmarks.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Figure;
import dev.forebay.benchmarks.lab.Measurement;
import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ProgressTest {

  private static final List<PlannedRun> RUNS =
      IntStream.rangeClosed(1, 3)
          .mapToObj(i -> new PlannedRun(Scenario.FROZEN_DISK, Peer.CHRONICLE, i))
          .toList();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void theFirstEstimateIsTheSumOfTheTimes() {
    Progress progress = new Progress(RUNS, out, false);

    // 3 s warm-up, 9 s measured, 2 s for the rest.
    assertThat(progress.left()).hasSeconds(3 * 14);
  }

  @Test
  void laterEstimatesKnowWhatRunsTook() {
    Progress progress = new Progress(RUNS, out, false);

    progress.ended(RUNS.get(0), Duration.ofSeconds(20), measurement(null));
    progress.ended(RUNS.get(1), Duration.ofSeconds(30), measurement(null));

    assertThat(progress.left()).hasSeconds(25);
  }

  @Test
  void aRunIsALine() {
    Progress progress = new Progress(RUNS, out, false);

    progress.begin();
    progress.running(RUNS.get(0), Duration.ofSeconds(1));
    progress.ended(RUNS.get(0), Duration.ofSeconds(100), measurement("10 unaccounted for"));

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "3 runs, about 42 s",
            "[1/3, 3 min left] frozen-disk chronicle 1:"
                + " p99.9 5.1 s, longest 5.1 s, void: 10 unaccounted for");
  }

  @Test
  void onATerminalTheLineIsWrittenOver() {
    Progress progress = new Progress(RUNS, out, true);

    progress.running(RUNS.get(0), Duration.ofSeconds(7));
    progress.ended(RUNS.get(0), Duration.ofSeconds(16), measurement(null));

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "\r[1/3, 35 s left] frozen-disk chronicle 1: 7 s\033[K"
                + "\r\033[K[1/3, 32 s left] frozen-disk chronicle 1: p99.9 5.1 s, longest 5.1 s\n");
  }

  @Test
  void timesHaveAUnitThatSuitsThem() {
    assertThat(Text.time(140)).isEqualTo("140 ns");
    assertThat(Text.time(5_280)).isEqualTo("5.3 µs");
    assertThat(Text.time(250_000)).isEqualTo("250 µs");
    assertThat(Text.time(3_000_000)).isEqualTo("3.0 ms");
    assertThat(Text.time(5_050_000_000L)).isEqualTo("5.1 s");
  }

  private static Measurement measurement(@Nullable String reason) {
    Histogram calls = new Histogram(3);
    calls.recordValue(5_080_000_000L);
    return new Measurement(
        Scenario.FROZEN_DISK,
        Peer.CHRONICLE,
        1,
        Map.of(Figure.ELAPSED_NS, 9e9),
        calls,
        List.of(),
        2000,
        7000,
        reason);
  }
}
