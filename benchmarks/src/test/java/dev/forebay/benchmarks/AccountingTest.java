package dev.forebay.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.core.FileAppender;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
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

  @ParameterizedTest
  @EnumSource(
      value = DelegateKind.class,
      names = {"COUNT"},
      mode = EnumSource.Mode.EXCLUDE)
  void anEncodingDelegateReceivesEveryAcceptedEvent(DelegateKind delegate) throws RunnerException {
    Collection<RunResult> results =
        run("Saturation.*oneThread", delegate.name(), AppenderKind.FOREBAY, AppenderKind.TIERED);

    assertThat(results).hasSize(2).allSatisfy(AccountingTest::addsUp);
  }

  @Test
  void aBenchmarkLeavesNoFilesBehind() {
    AppenderUnderTest target = started(AppenderKind.TIERED);
    target.logger().info("one call");
    target.addOffered(1);
    target.awaitArrivals();
    FileAppender<?> appender = (FileAppender<?>) target.appender();
    Path log = Path.of(appender.getFile());
    assertThat(log).isNotEmptyFile();

    target.tearDown();

    assertThat(log.getParent()).doesNotExist();
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
            new OptionsBuilder()
                .include(include)
                .param("delegate", delegate)
                .param("appender", names(appenders))
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(2)
                .measurementTime(TimeValue.milliseconds(20))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build())
        .run();
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
