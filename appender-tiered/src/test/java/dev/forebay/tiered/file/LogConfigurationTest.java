package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import dev.forebay.tiered.file.LogConfiguration.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogConfigurationTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private final LoggerContext context = new LoggerContext();
  private final LogUnderTest build = new LogUnderTest(context);

  private static Problem unusable(String message) {
    return new Problem(true, message);
  }

  private TimeBasedRollingPolicy<byte[]> daily(String file) {
    return build.byTime(build.parent(file), "logs/app.%d{yyyy-MM-dd}.log", NOW_MS);
  }

  private List<Problem> problems(String file, TimeBasedRollingPolicy<byte[]> policy) {
    return LogConfiguration.problems(file, true, false, policy, policy, context);
  }

  @Test
  void usualConfigurationsAreFine() {
    assertThat(LogConfiguration.problems("app.log", false, false, null, null, context)).isEmpty();
    assertThat(problems("logs/app.log", daily("logs/app.log"))).isEmpty();
    assertThat(problems(null, daily(null))).isEmpty();
  }

  @Test
  void missingFileIsNamed() {
    assertThat(LogConfiguration.problems(null, true, false, null, null, context))
        .containsExactly(
            unusable("<file> is missing, and there is no <rollingPolicy> that names one"));
    assertThat(LogConfiguration.problems(" ", true, false, null, null, context))
        .containsExactly(unusable("<file> is empty"));
  }

  /** So are names beyond ASCII where the JVM runs with LC_ALL=C. */
  @Test
  void namesThatAreNoPathsAreRefused() {
    assertThat(LogConfiguration.problems("app\0.log", true, false, null, null, context))
        .containsExactly(
            unusable("<file> is \"app\0.log\": must be a path; Nul character not allowed"));
    TimeBasedRollingPolicy<byte[]> policy =
        build.byTime(build.parent("app.log"), "logs\0/app.%d.log", NOW_MS);
    assertThat(problems("app.log", policy))
        .containsExactly(
            unusable(
                "<fileNamePattern> is \"logs\0/app.%d.log\": must be a path; Nul character not"
                    + " allowed"));
  }

  @Test
  void aPatternThatIsNoExpressionIsNotLookedInto() {
    FixedWindowRollingPolicy window =
        build.fixedWindow(build.parent("app[.log"), "logs[/app.%i.log");
    assertThat(
            LogConfiguration.problems(
                "app[.log", true, false, window, build.bySize("1KB"), context))
        .isEmpty();
  }

  @Test
  void prudentIsRefused() {
    assertThat(LogConfiguration.problems("app.log", true, true, null, null, context))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("<prudent>true</prudent>"));
  }

  @Test
  void onePolicyWithoutTheOtherIsRefused() {
    FixedWindowRollingPolicy window =
        build.fixedWindow(build.parent("logs/app.log"), "logs/app.%i.log");
    assertThat(LogConfiguration.problems("logs/app.log", true, false, window, null, context))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("needs a <triggeringPolicy>"));
    assertThat(
            LogConfiguration.problems(
                "logs/app.log", true, false, null, build.bySize("1KB"), context))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("needs a <rollingPolicy>"));
  }

  @Test
  void policyThatDidNotStartIsNamed() {
    TimeBasedRollingPolicy<byte[]> policy = build.unstarted(build.parent("app.log"), "app.%d");
    assertThat(problems("app.log", policy))
        .containsExactly(
            unusable(
                "<rollingPolicy> of ch.qos.logback.core.rolling.TimeBasedRollingPolicy did not"
                    + " start; the status messages before this one say why"));
  }

  @Test
  void fileThatThePatternGivesToArchivesIsRefused() {
    String file = "logs/app.2024-03-01.log";
    assertThat(problems(file, daily(file)))
        .containsExactly(
            unusable(
                "<file> logs/app.2024-03-01.log matches <fileNamePattern>"
                    + " logs/app.%d{yyyy-MM-dd}.log: an archive could replace it"));
  }

  @Test
  void collisionThatLogbackLetsPassIsAdvice() {
    String file = "logs/app.1.log";
    FixedWindowRollingPolicy window = build.fixedWindow(build.parent(file), "logs/app.%i.log");
    assertThat(LogConfiguration.problems(file, true, false, window, build.bySize("1KB"), context))
        .extracting(Problem::isFatal)
        .containsExactly(false);
  }

  @Test
  void appendFalseWithRollingIsAdvice() {
    TimeBasedRollingPolicy<byte[]> policy = daily("logs/app.log");
    assertThat(LogConfiguration.problems("logs/app.log", false, false, policy, policy, context))
        .extracting(Problem::isFatal)
        .containsExactly(false);
  }
}
