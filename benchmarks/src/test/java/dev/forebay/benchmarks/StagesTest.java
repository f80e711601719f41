package dev.forebay.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark of a stage for an instant, in this JVM. Each checks its own account of
 * records and throws when one is missing.
 */
class StagesTest {

  @BeforeAll
  static void letOtherBenchmarksRunOnThisMachine() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void everyStageCountsWhatWentThroughIt() throws RunnerException, IOException {
    Set<Path> before = scratchDirectories();

    Map<Boolean, List<RunResult>> all =
        run().stream().collect(Collectors.partitioningBy(StagesTest::isOneWrite));
    List<RunResult> results = all.get(false);

    assertThat(all.get(true)).isNotEmpty();

    assertThat(results.stream().map(ResultTable::shortName).distinct())
        .as("drain, encode, frame, recovery, ring, spool")
        .hasSizeGreaterThanOrEqualTo(13);
    assertThat(results).allMatch(StageRow::fits).noneMatch(CallRow::fits).noneMatch(ShareRow::fits);
    assertThat(results)
        .allSatisfy(
            result -> {
              assertThat(ResultTable.more(result, "records")).isPositive();
              assertThat(ResultTable.more(result, "cpuNs")).isPositive();
            });
    List<String> rows =
        ResultTable.of(results).lines().filter(line -> line.contains("Benchmark.")).toList();
    assertThat(rows).hasSameSizeAs(results);
    assertThat(scratchDirectories()).isEqualTo(before);
  }

  /** Ways to write a record, without the stage around them. */
  private static boolean isOneWrite(RunResult result) {
    return ResultTable.shortName(result).startsWith("SegmentWriteBenchmark.");
  }

  private static Collection<RunResult> run() throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .exclude("Saturation|Burst|CallerShare|Paced")
                .param("megabytes", "1")
                .param("payloadBytes", "100")
                .param("eventsPerMs", "100")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(10))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build())
        .run();
  }

  private static Set<Path> scratchDirectories() throws IOException {
    try (Stream<Path> shm = Files.list(Path.of("/dev/shm"))) {
      return shm.filter(path -> path.getFileName().toString().startsWith(ScratchDirectories.PREFIX))
          .collect(Collectors.toSet());
    }
  }
}
