package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.status.Status;
import dev.forebay.ConfigFindings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogConfigurationTest {
  private static final String ERROR = "Appender [A] not started: ";
  private static final String WARN = "Appender [A]: ";

  private final LoggerContext context = new LoggerContext();
  private final TieredAppender appender = new TieredAppender();

  LogConfigurationTest() {
    appender.setContext(context);
  }

  private void configure(@Nullable String file) {
    if (file != null) {
      appender.setFile(file);
    }
  }

  private void daily(@Nullable String file, String pattern) {
    configure(file);
    TimeBasedRollingPolicy<ILoggingEvent> policy = new TimeBasedRollingPolicy<>();
    set(policy, pattern);
    policy.start();
  }

  private void window(String file, String pattern) {
    configure(file);
    FixedWindowRollingPolicy policy = new FixedWindowRollingPolicy();
    set(policy, pattern);
    policy.start();
  }

  private void set(RollingPolicyBase policy, String pattern) {
    policy.setContext(context);
    policy.setParent(appender);
    policy.setFileNamePattern(pattern);
    appender.setRollingPolicy(policy);
  }

  private void bySize() {
    SizeBasedTriggeringPolicy<ILoggingEvent> trigger = new SizeBasedTriggeringPolicy<>();
    trigger.setContext(context);
    trigger.start();
    appender.setTriggeringPolicy(trigger);
  }

  private List<String> problems() {
    context.getStatusManager().clear();
    ConfigFindings findings = new ConfigFindings();
    LogbackParts.check(appender, findings);
    findings.reportTo(appender, "A");
    return context.getStatusManager().getCopyOfStatusList().stream()
        .map(Status::getMessage)
        .toList();
  }

  @Test
  void oneFileIsFine() {
    configure("app.log");
    appender.setAppend(false);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aRolledFileIsFine() {
    daily("logs/app.log", "logs/app.%d{yyyy-MM-dd}.log");
    assertThat(problems()).isEmpty();
  }

  @Test
  void aPatternMayNameTheFile() {
    daily(null, "logs/app.%d{yyyy-MM-dd}.log");
    assertThat(problems()).isEmpty();
  }

  @Test
  void missingFileIsNamed() {
    assertThat(problems())
        .containsExactly(
            ERROR + "<file> is missing, and there is no <rollingPolicy> that names one");
    configure(" ");
    assertThat(problems()).containsExactly(ERROR + "<file> is empty");
  }

  /** So are names beyond ASCII where the JVM runs with LC_ALL=C. */
  @Test
  void namesThatAreNoPathsAreRefused() {
    daily("app?.log".replace('?', '\0'), "logs?/app.%d.log".replace('?', '\0'));
    assertThat(problems())
        .containsExactly(
            ERROR + "<file> is \"app?.log\": must be a path; Nul character not allowed",
            ERROR
                + "<fileNamePattern> is \"logs?/app.%d.log\": must be a path; Nul character not"
                + " allowed");
  }

  @Test
  void aPatternThatIsNoExpressionIsNotLookedInto() {
    window("app[.log", "logs[/app.%i.log");
    bySize();
    assertThat(problems()).isEmpty();
  }

  @Test
  void prudentIsRefused() {
    configure("app.log");
    appender.setPrudent(true);
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith(ERROR + "<prudent>true</prudent> is not supported");
  }

  @Test
  void aRollingPolicyAloneIsRefused() {
    window("logs/app.log", "logs/app.%i.log");
    assertThat(problems()).singleElement().asString().contains("needs a <triggeringPolicy>");
  }

  @Test
  void aTriggeringPolicyAloneIsRefused() {
    configure("logs/app.log");
    bySize();
    assertThat(problems()).singleElement().asString().contains("needs a <rollingPolicy>");
  }

  @Test
  void policyThatDidNotStartIsNamed() {
    configure("app.log");
    set(new TimeBasedRollingPolicy<ILoggingEvent>(), "app.%d");
    assertThat(problems())
        .containsExactly(
            ERROR
                + "<rollingPolicy> of ch.qos.logback.core.rolling.TimeBasedRollingPolicy did not"
                + " start; the status messages before this one say why");
  }

  @Test
  void fileThatThePatternGivesToArchivesIsRefused() {
    daily("logs/app.2024-03-01.log", "logs/app.%d{yyyy-MM-dd}.log");
    assertThat(problems())
        .containsExactly(
            ERROR
                + "<file> logs/app.2024-03-01.log matches <fileNamePattern>"
                + " logs/app.%d{yyyy-MM-dd}.log: an archive could replace it");
  }

  @Test
  void collisionThatLogbackLetsPassIsAdvice() {
    window("logs/app.1.log", "logs/app.%i.log");
    bySize();
    assertThat(problems()).singleElement().asString().startsWith(WARN + "<file> logs/app.1.log");
  }

  @Test
  void appendFalseWithRollingIsAdvice() {
    daily("logs/app.log", "logs/app.%d{yyyy-MM-dd}.log");
    appender.setAppend(false);
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith(WARN + "<append>false</append> has no meaning");
  }
}
