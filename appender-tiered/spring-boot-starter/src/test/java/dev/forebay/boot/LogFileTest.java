package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import dev.forebay.micrometer.ForebayMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The log file of an application without a configuration of Logback: as Boot's own, but ours. */
class LogFileTest {

  @TempDir private Path dir;

  private Path log;
  private Apps apps;

  @BeforeEach
  void begin() {
    log = dir.resolve("app.log");
    apps = new Apps(dir);
  }

  @AfterEach
  void end() {
    apps.close();
  }

  @Test
  void theNameOfALogFileIsEnough() throws Exception {
    apps.start("logging.file.name=" + log);
    assertThat(apps.file()).isInstanceOf(dev.forebay.boot.FileAppender.class);
    apps.root().info("hello");
    assertThat(apps.lines(log)).last().asString().endsWith(" : hello");
  }

  @Test
  void aPathGetsTheFileOfBoot() throws Exception {
    apps.start("logging.file.path=" + dir.resolve("logs"));
    apps.root().info("hello");
    assertThat(apps.lines(dir.resolve("logs/spring.log"))).last().asString().endsWith(" : hello");
  }

  @Test
  void withoutALogFileThereIsNoAppender() {
    apps.start();
    assertThat(apps.file()).isNull();
    assertThat(apps.root().getAppender("CONSOLE")).isNotNull();
  }

  @Test
  void switchedOffItIsBootsAppender() {
    apps.start("logging.file.name=" + log, "forebay.enabled=false");
    assertThat(apps.file()).isExactlyInstanceOf(RollingFileAppender.class);
  }

  @Test
  void theConsoleStaysAsBootMakesIt() {
    apps.start("logging.file.name=" + log);
    assertThat(apps.root().getAppender("CONSOLE")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logging.pattern.file=%p %m%n",
        "logging.charset.file=UTF-16BE",
        "logging.threshold.file=warn",
        "logging.threshold.file=off",
        "logging.level.root=error",
        "logging.pattern.level=[%p]",
        "logging.exception-conversion-word=%ex{1}",
        "spring.application.name=shop",
      })
  void aPropertyOfBootMeansTheSame(String property) throws Exception {
    String dates = "logging.pattern.dateformat=yyyy";
    Path ofBoot = dir.resolve("boot.log");
    apps.start("logging.file.name=" + ofBoot, "forebay.enabled=false", property, dates);
    logAll();
    apps.close();
    apps = new Apps(dir);
    apps.start("logging.file.name=" + log, property, dates);
    logAll();
    apps.end();
    assertThat(fromTest(log)).isEqualTo(fromTest(ofBoot));
  }

  @ParameterizedTest
  @CsvSource({
    "ecs, '\"message\":\"error\"'",
    "logstash, '\"message\":\"error\"'",
    "gelf, '\"short_message\":\"error\"'"
  })
  void aStructuredFormatIsHonoured(String format, String expected) throws Exception {
    apps.start("logging.file.name=" + log, "logging.structured.format.file=" + format);
    apps.root().error("error");
    assertThat(apps.lines(log)).last().asString().startsWith("{").contains(expected).endsWith("}");
  }

  @Test
  void anUnknownStructuredFormatIsRefused() {
    assertThatThrownBy(
            () -> apps.start("logging.file.name=" + log, "logging.structured.format.file=none"))
        .hasMessageContaining("none");
  }

  @Test
  void theRollingPolicyIsConfiguredAsBootsIs() throws Exception {
    String[] properties = {
      "logging.file.name=" + log,
      "logging.logback.rollingpolicy.file-name-pattern=" + dir + "/a.%d{yyyy-MM}.%i.log",
      "logging.logback.rollingpolicy.clean-history-on-start=true",
      "logging.logback.rollingpolicy.max-file-size=2MB",
      "logging.logback.rollingpolicy.total-size-cap=20MB",
      "logging.logback.rollingpolicy.max-history=3",
      "forebay.enabled=false"
    };
    apps.start(properties);
    Map<String, Object> expected =
        policy(((RollingFileAppender<?>) apps.file()).getRollingPolicy());
    apps.close();
    apps = new Apps(dir);
    properties[6] = "forebay.enabled=true";
    apps.start(properties);
    assertThat(policy(((dev.forebay.boot.FileAppender) apps.file()).getRollingPolicy()))
        .isEqualTo(expected)
        .containsEntry("maxHistory", 3);
  }

  @Test
  void theRollingPolicyHasBootsDefaults() throws Exception {
    apps.start("logging.file.name=" + log, "forebay.enabled=false");
    Map<String, Object> expected =
        policy(((RollingFileAppender<?>) apps.file()).getRollingPolicy());
    apps.close();
    apps = new Apps(dir);
    apps.start("logging.file.name=" + log);
    assertThat(policy(((dev.forebay.boot.FileAppender) apps.file()).getRollingPolicy()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"two words.log", "a(b).log", "ü.log", "a$b.log"})
  void aFileMayHaveAnyNameThatBootTakes(String name) throws Exception {
    Path odd = dir.resolve("some where").resolve(name);
    apps.start("logging.file.name=" + odd, "forebay.enabled=false");
    apps.root().info("hello");
    apps.close();
    boolean bootTakesIt = Files.exists(odd) && Files.size(odd) > 0;
    apps = new Apps(dir);
    apps.start("logging.file.name=" + odd);
    apps.root().info("hello");
    List<String> lines = apps.lines(odd);
    assertThat(bootTakesIt).isTrue();
    assertThat(lines.stream().filter(line -> line.endsWith("hello"))).hasSize(2);
  }

  @Test
  void theLogSurvivesTheSecondApplicationInTheSameJvm() throws Exception {
    Path second = dir.resolve("second.log");
    apps.start("logging.file.name=" + log, "forebay.ring-buffer-size=16");
    apps.root().info("one");
    apps.end();
    apps.start("logging.file.name=" + second);
    apps.root().info("two");
    assertThat(apps.lines(second)).last().asString().endsWith("two");
    assertThat(apps.lines(log)).last().asString().endsWith("one");
  }

  @Test
  void anApplicationThatDoesNotStartWritesItsLastLines() throws Exception {
    assertThatThrownBy(() -> apps.start(Failing.class, "logging.file.name=" + log))
        .isInstanceOf(BeanCreationException.class);
    assertThat(apps.lines(log))
        .anyMatch(line -> line.contains("before the failure"))
        .anyMatch(line -> line.contains("Application run failed"))
        .anyMatch(line -> line.contains("IllegalStateException: it fails"));
  }

  @Test
  void metersOfAnotherApplicationFollow() {
    try (ForebayMetrics metrics = new ForebayMetrics(apps.logback(), List.of())) {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      metrics.bindTo(registry);
      apps.start("logging.file.name=" + log);
      assertThat(registry.find("forebay.offered").meters()).hasSize(1);
      apps.end();
      assertThat(registry.getMeters()).isEmpty();
      apps.start("logging.file.name=" + dir.resolve("second.log"));
      assertThat(registry.find("forebay.offered").meters()).hasSize(1);
    }
  }

  @Test
  void anApplicationInTheOtherDoesNotDisturbItsLog() throws Exception {
    apps.start("logging.file.name=" + log);
    FileAppender<?> before = (FileAppender<?>) apps.file();
    apps.start("logging.file.name=" + dir.resolve("inner.log")).close();
    apps.root().info("hello");
    assertThat(apps.file()).isSameAs(before);
    assertThat(apps.lines(log)).last().asString().endsWith("hello");
  }

  @Configuration(proxyBeanMethods = false)
  static class Failing {

    @Bean
    Object fails() {
      LoggerFactory.getLogger(Failing.class).info("before the failure");
      throw new IllegalStateException("it fails");
    }
  }

  private void logAll() {
    apps.root().debug("debug");
    apps.root().info("info ä");
    apps.root().warn("warn");
    Exception thrown = new IllegalStateException("why");
    thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("Some", "where", "X", 1)});
    apps.root().error("error", thrown);
  }

  /** The bytes of what this thread has logged, without start-up lines that have numbers in them. */
  private static String fromTest(Path file) throws Exception {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    int from = Math.max(text.indexOf("info"), Math.max(text.indexOf("\0i\0n\0f\0o"), 0));
    return text.substring(from);
  }

  private static Map<String, Object> policy(Object found) throws Exception {
    SizeAndTimeBasedRollingPolicy<?> policy = (SizeAndTimeBasedRollingPolicy<?>) found;
    return Map.of(
        "pattern", policy.getFileNamePattern(),
        "clean", policy.isCleanHistoryOnStart(),
        "maxHistory", policy.getMaxHistory(),
        "size", field(policy, "maxFileSize"),
        "cap", field(policy, "totalSizeCap"));
  }

  private static String field(Object of, String name) throws Exception {
    for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
      for (var each : type.getDeclaredFields()) {
        if (each.getName().equals(name)) {
          each.setAccessible(true);
          return each.get(of).toString();
        }
      }
    }
    throw new AssertionError(name);
  }
}
