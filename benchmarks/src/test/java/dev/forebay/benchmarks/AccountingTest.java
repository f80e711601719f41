package dev.forebay.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for an instant, in this JVM, and looks at its account, not at its times. */
class AccountingTest {

  @BeforeAll
  static void letOtherBenchmarksRunOnThisMachine() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void everyAppenderIsAccountedFor() throws RunnerException {
    Collection<RunResult> results = run("Saturation.*twoThreads", "COUNT", AppenderKind.values());

    assertThat(benchmarks(results)).containsExactly("SaturationBenchmark.twoThreads");
    assertThat(results).hasSize(AppenderKind.values().length);
    assertThat(results).allSatisfy(AccountingTest::addsUp);
  }

  @Test
  void everyBenchmarkIsAccountedFor() throws RunnerException {
    Collection<RunResult> results =
        run(
            "(Saturation|Burst|Paced|CallerShare).*Thread",
            "COUNT",
            AppenderKind.FOREBAY,
            AppenderKind.TIERED);

    assertThat(benchmarks(results)).hasSize(9);
    assertThat(results).hasSize(9 * 2).allSatisfy(AccountingTest::addsUp);
  }

  @Test
  void everyStageCountsWhatWentThroughIt() throws RunnerException, IOException {
    Set<Path> before = scratchDirectories();
    ChainedOptionsBuilder stages =
        instant()
            .exclude("Saturation|Burst|CallerShare|Paced|Redact")
            .param("megabytes", "1")
            .param("payloadBytes", "100")
            .param("eventsPerMs", "100")
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10));
    Map<Boolean, List<RunResult>> all =
        new Runner(stages.build())
            .run().stream().collect(Collectors.partitioningBy(AccountingTest::isOneWrite));
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
    assertThat(ResultTable.of(results).lines().filter(line -> line.contains("Benchmark.")))
        .hasSameSizeAs(results);
    assertThat(scratchDirectories()).isEqualTo(before);
  }

  /** Ways to write a record, without the stage around them. */
  private static boolean isOneWrite(RunResult result) {
    return ResultTable.shortName(result).startsWith("SegmentWriteBenchmark.");
  }

  private static Set<Path> scratchDirectories() throws IOException {
    try (Stream<Path> shm = Files.list(Path.of("/dev/shm"))) {
      return shm.filter(path -> path.getFileName().toString().startsWith(ScratchDirectories.PREFIX))
          .collect(Collectors.toSet());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aDoubledOrLostEventMakesTheRunVoid(int offered) {
    AppenderUnderTest target = started(AppenderKind.FOREBAY);
    target.logger().info("one call");
    target.addOffered(offered);

    assertThatIllegalStateException()
        .isThrownBy(target::tearDown)
        .withMessageContaining("offered %s must be delivered 1 + dropped 0", offered)
        .withMessageContaining("%s are unaccounted for", offered - 1);
  }

  private static AppenderUnderTest started(AppenderKind appender) {
    AppenderUnderTest target = new AppenderUnderTest();
    target.appender = appender;
    target.delegate = DelegateKind.COUNT;
    target.start(1);
    return target;
  }

  private static void addsUp(RunResult result) {
    AppenderKind appender = AppenderKind.valueOf(result.getParams().getParam("appender"));
    String description = result.getParams().id();
    assertThat(count(result, "offered")).as(description).isPositive();
    if (!appender.delivers()) {
      return;
    }
    assertThat(count(result, "delivered")).as(description).isPositive();
    assertThat(count(result, "delivered") + count(result, "dropped") + count(result, "unaccounted"))
        .as(description)
        .isEqualTo(count(result, "offered"));
    if (EnumSet.of(AppenderKind.FOREBAY, AppenderKind.TIERED, AppenderKind.ASYNC_KEEP_ALL)
        .contains(appender)) {
      assertThat(count(result, "unaccounted")).as(description).isZero();
    }
  }

  private static Collection<RunResult> run(
      String include, String delegate, AppenderKind... appenders) throws RunnerException {
    return new Runner(
            instant()
                .include(include)
                .param("delegate", delegate)
                .param("appender", names(appenders))
                .build())
        .run();
  }

  private static ChainedOptionsBuilder instant() {
    return new OptionsBuilder()
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(2)
        .measurementTime(TimeValue.milliseconds(20))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  private static String[] names(AppenderKind... appenders) {
    return List.of(appenders).stream().map(Enum::name).toArray(String[]::new);
  }

  private static Set<String> benchmarks(Collection<RunResult> results) {
    return results.stream()
        .map(result -> result.getParams().getBenchmark())
        .map(name -> name.substring(AccountingTest.class.getPackageName().length() + 1))
        .collect(Collectors.toSet());
  }

  private static long count(RunResult result, String name) {
    return (long) result.getSecondaryResults().get(name).getScore();
  }
}
