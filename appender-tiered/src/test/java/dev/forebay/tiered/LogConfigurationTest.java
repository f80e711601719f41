package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.jvm.JvmOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogConfigurationTest {
  private static final String ERROR = "Appender [A]: not started: ";
  private static final String WARN = "Appender [A]: ";

  private final LoggerContext context = new LoggerContext();
  private TieredAppender appender = new TieredAppender();

  private void roll(String policy, @Nullable String pattern) {
    switch (policy) {
      case "daily" -> set(new TimeBasedRollingPolicy<ILoggingEvent>(), pattern).start();
      case "unstarted" -> set(new TimeBasedRollingPolicy<ILoggingEvent>(), pattern);
      case "window" -> set(new FixedWindowRollingPolicy(), pattern).start();
      default -> {}
    }
  }

  private RollingPolicyBase set(RollingPolicyBase policy, @Nullable String pattern) {
    policy.setContext(context);
    policy.setParent(appender);
    policy.setFileNamePattern(pattern);
    appender.setRollingPolicy(policy);
    return policy;
  }

  private List<String> problems() {
    ConfigFindings findings = new ConfigFindings();
    appender.parts.check(findings);
    return Joran.messages(findings);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          app.log                 | none      |                  | app      |
          logs/app.log            | daily     | logs/app.%d.log  |          |
                                  | daily     | logs/app.%d.log  |          |
          app[.log                | window    | logs[/app.%i.log | size     |
                                  | none      |                  |          |
                                  | none      |                  | target   |
          app.log                 | none      |                  | target   | ERROR <target> and <file> exclude each other: remove one of them
                                  | daily     | logs/app.%d.log  | target   | ERROR <target> and <rollingPolicy> exclude each other: remove one of them
          ' '                     | none      |                  |          | ERROR <file> is empty
          app.log                 | none      |                  | prudent  | ERROR <prudent>true</prudent> is not supported
          logs/app.log            | window    | logs/app.%i.log  |          | ERROR <rollingPolicy> .* needs a <triggeringPolicy>
          logs/app.log            | none      |                  | size     | ERROR <triggeringPolicy> .* needs a <rollingPolicy>
          app.log                 | unstarted | app.%d           |          | ERROR <rollingPolicy> .*TimeBasedRollingPolicy did not start; the status messages before
          logs/app.2024-03-01.log | daily     | logs/app.%d.log  |          | ERROR <file> logs/app.2024-03-01.log matches <fileNamePattern> logs/app.%d.log: an archive could replace it
          l(1)+/app.2024-03-01.log | daily    | l(1)+/app.%d.log |          | ERROR <file> .* an archive could replace it
          l(1/app.1.log           | window    | l(1/app.%i.log   | size     | WARN <file> .* an archive could replace it
          logs/app.1.log          | window    | logs/app.%i.log  | size     | WARN <file> logs/app.1.log matches
          logs/app.log            | window    | logs/app.%i.log  | 20 bytes | WARN <maxFileSize> is 20 bytes, and so is each archive: .* 20MB may be meant
          logs/app.log            | daily     | logs/app.%d.log  | app      | WARN <append>false</append> has no meaning
          """)
  void eachMistakeIsNamed(
      @Nullable String file,
      String policy,
      @Nullable String pattern,
      @Nullable String more,
      @Nullable String expected) {
    appender.setContext(context);
    if (file != null) {
      appender.setFile(file);
    }
    roll(policy, pattern);
    appender.setAppend(!"app".equals(more));
    appender.setPrudent("prudent".equals(more));
    if ("target".equals(more)) {
      appender.setTarget("System.err");
    }
    if ("size".equals(more) || "20 bytes".equals(more)) {
      SizeBasedTriggeringPolicy<ILoggingEvent> trigger = new SizeBasedTriggeringPolicy<>();
      trigger.setMaxFileSize(FileSize.valueOf("size".equals(more) ? "10MB" : "20"));
      trigger.setContext(context);
      trigger.start();
      appender.setTriggeringPolicy(trigger);
    }
    if (expected == null) {
      assertThat(problems()).isEmpty();
    } else {
      String text = expected.replaceFirst("ERROR ", "").replaceFirst("WARN ", "");
      assertThat(problems())
          .singleElement()
          .asString()
          .startsWith(expected.startsWith("WARN ") ? WARN + "<" : ERROR + "<")
          .containsPattern(text);
    }
  }

  @Test
  void aLogOfTheJvmNeedsAFile() {
    appender = new TieredAppender(new JvmOptions()) {};
    appender.setContext(context);
    assertThat(problems())
        .containsExactly(
            ERROR + "<file> is missing, and there is no <rollingPolicy> that names one");
  }

  @Test
  void anEncoderIsNeeded() {
    ConfigFindings findings = new ConfigFindings();
    appender.parts.start(findings);
    assertThat(Joran.messages(findings))
        .singleElement()
        .asString()
        .startsWith(ERROR + "<encoder> is missing: write <encoder><pattern>");
  }
}
