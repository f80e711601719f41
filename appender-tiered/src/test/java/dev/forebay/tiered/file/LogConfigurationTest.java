package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
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

  private List<Problem> problems(String file, RollingPolicy rolling, TriggeringPolicy<?> trigger) {
    return LogConfiguration.problems(file, true, false, rolling, trigger, context);
  }

  private List<Problem> problems(String file, TimeBasedRollingPolicy<byte[]> policy) {
    return problems(file, policy, policy);
  }

  private List<Problem> problems(String file) {
    return problems(file, null, null);
  }

  @Test
  void usualConfigurationsAreFine() {
    assertThat(LogConfiguration.problems("app.log", false, false, null, null, context)).isEmpty();
    assertThat(problems("logs/app.log", daily("logs/app.log"))).isEmpty();
    assertThat(problems(null, daily(null))).isEmpty();
    var window = build.fixedWindow(build.parent("app[.log"), "logs[/app.%i.log");
    assertThat(problems("app[.log", window, build.bySize("1KB"))).as("no expression").isEmpty();
  }

  /** So are names beyond ASCII where the JVM runs with LC_ALL=C. */
  @Test
  void aFileOrPatternThatIsMissingOrNoPathIsRefused() {
    assertThat(problems(null))
        .containsExactly(
            unusable("<file> is missing, and there is no <rollingPolicy> that names one"));
    assertThat(problems(" ")).containsExactly(unusable("<file> is empty"));
    assertThat(problems("app\0.log"))
        .containsExactly(
            unusable("<file> is \"app\0.log\": must be a path; Nul character not allowed"));
    assertThat(
            problems("app.log", build.byTime(build.parent("app.log"), "logs\0/app.%d.log", NOW_MS)))
        .containsExactly(
            unusable(
                "<fileNamePattern> is \"logs\0/app.%d.log\": must be a path; Nul character not"
                    + " allowed"));
  }

  @Test
  void prudentAndOnePolicyWithoutTheOtherAreRefused() {
    String file = "logs/app.log";
    assertThat(LogConfiguration.problems(file, true, true, null, null, context).toString())
        .contains("<prudent>true</prudent>");
    var window = build.fixedWindow(build.parent(file), "logs/app.%i.log");
    assertThat(problems(file, window, null).toString()).contains("needs a <triggeringPolicy>");
    assertThat(problems(file, null, build.bySize("1KB")).toString())
        .contains("needs a <rollingPolicy>");
  }

  @Test
  void aPolicyThatDidNotStartIsNamed() {
    assertThat(problems("app.log", build.unstarted(build.parent("app.log"), "app.%d")))
        .containsExactly(
            unusable(
                "<rollingPolicy> of ch.qos.logback.core.rolling.TimeBasedRollingPolicy did not"
                    + " start; the status messages before this one say why"));
  }

  @Test
  void aFileThatThePatternGivesToArchivesIsRefused() {
    String file = "logs/app.2024-03-01.log";
    assertThat(problems(file, daily(file)))
        .containsExactly(
            unusable(
                "<file> logs/app.2024-03-01.log matches <fileNamePattern>"
                    + " logs/app.%d{yyyy-MM-dd}.log: an archive could replace it"));
  }

  @Test
  void whatLogbackLetsPassIsAdvice() {
    var window = build.fixedWindow(build.parent("logs/app.1.log"), "logs/app.%i.log");
    assertThat(problems("logs/app.1.log", window, build.bySize("1KB")))
        .extracting(Problem::isFatal)
        .containsExactly(false);
    var policy = daily("logs/app.log");
    assertThat(LogConfiguration.problems("logs/app.log", false, false, policy, policy, context))
        .as("rolling without appending")
        .extracting(Problem::isFatal)
        .containsExactly(false);
  }
}
