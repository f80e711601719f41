package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.tiered.TieredAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The log file of an application without a configuration of Logback: as Boot's own, but ours. */
class LogFileTest extends Apps {

  private static final String OF_BOOT = "forebay.enabled=false";

  @ParameterizedTest
  @CsvSource({"logging.file.name, app.log, app.log", "logging.file.path, logs, logs/spring.log"})
  void theNameOrPathOfALogFileIsEnough(String property, String value, String file)
      throws Exception {
    start(property + "=" + dir.resolve(value));
    assertThat(file()).isInstanceOf(FileAppender.class);
    assertThat(root.getAppender("CONSOLE")).isNotNull();
    root.info("hello");
    assertThat(lines(dir.resolve(file))).last().asString().endsWith(" : hello");
  }

  @Test
  void aPropertyThatNothingUsesIsAWarning() {
    start(); // with a directory for spools
    assertThat(statuses(Status.WARN))
        .containsExactly(
            "forebay.spool-directory has no effect: set logging.file.name or logging.file.path");
  }

  /** Even one that only a profile with a log file can resolve. */
  @Test
  void aPropertyThatNothingUsesMayHaveAnyValue() {
    start("forebay.fsync=${of.another.profile}", "forebay.spool-size=much");
    assertThat(statuses(Status.WARN)).singleElement().asString().contains(" has no effect: ");
  }

  @Test
  void withoutALogFileOrSwitchedOffAllIsAsBootMakesIt() {
    start();
    assertThat(file()).isNull();
    end();
    startLogging(OF_BOOT, "forebay.fsync=sometimes");
    assertThat(file()).isExactlyInstanceOf(RollingFileAppender.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logging.pattern.file=%p %m%n",
        "logging.charset.file=UTF-16BE",
        "logging.threshold.file=warn",
        "logging.threshold.file=off",
        "logging.exception-conversion-word=%ex{1}",
        "spring.application.name=shop",
      })
  void aPropertyOfBootMeansTheSame(String property) throws Exception {
    String expected = logged(property, OF_BOOT);
    assertThat(logged(property, "forebay.enabled=true")).isEqualTo(expected);
  }

  /** The bytes of what this thread has logged, without start-up lines that have numbers in them. */
  private String logged(String property, String enabled) throws Exception {
    Files.deleteIfExists(log);
    startLogging(property, enabled, "logging.pattern.dateformat=yyyy");
    root.debug("debug");
    root.info("info ä");
    root.warn("warn");
    Exception thrown = new IllegalStateException("why");
    thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("Some", "where", "X", 1)});
    root.error("error", thrown);
    Await.until("it is there, perhaps empty", () -> Files.exists(log));
    forget();
    String text = Files.readString(log, StandardCharsets.ISO_8859_1);
    return text.substring(Math.max(text.indexOf("info"), Math.max(text.indexOf("\0i\0n\0f"), 0)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ecs", "logstash"})
  void aStructuredFormatIsHonoured(String format) throws Exception {
    startLogging("logging.structured.format.file=" + format);
    root.error("hello");
    assertThat(lines(log)).last().asString().matches("\\{.*\"message\":\"hello\".*}");
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void theFlightRecorderNeedsOnlyTheLinesOfThePage(CapturedOutput output) throws Exception {
    List<String> lines =
        Files.readAllLines(Path.of("../../src/docs/spring-boot.md")).stream()
            .map(String::strip)
            .filter(line -> line.matches("(logging|forebay)[a-z.-]+=\\S+"))
            .toList();
    assertThat(lines).hasSize(5).first().asString().startsWith("logging.file.name=");
    startLogging(lines.subList(1, lines.size()).toArray(String[]::new));
    Logger logger = logback.getLogger("com.example.shop.Pay");
    MDC.put("traceId", "other");
    logger.trace("of another request");
    MDC.put("traceId", "7f3a");
    logger.trace("3 items");
    logger.error("refused");
    MDC.clear();
    assertThat(lines(log))
        .anyMatch(line -> line.endsWith("refused"))
        .noneMatch(LogFileTest::isTrace);
    assertThat(output.getOut().lines()).anyMatch(line -> line.endsWith("refused"));
    assertThat(output.getOut().lines()).noneMatch(LogFileTest::isTrace);
    try (Stream<Path> files = Files.list(dir)) {
      Path dump = files.filter(file -> file.toString().endsWith(".dump")).findAny().orElseThrow();
      assertThat(Files.readAllLines(dump))
          .anyMatch(line -> line.endsWith("3 items"))
          .anyMatch(line -> line.endsWith("refused"))
          .noneMatch(line -> line.contains("of another request"));
    }
  }

  private static boolean isTrace(String line) {
    return line.contains(" TRACE ");
  }

  @Test
  void theRollingPolicyIsConfiguredAsBootsIs() {
    String prefix = "logging.logback.rollingpolicy.";
    List<String> all =
        List.of(
            prefix + "file-name-pattern=" + dir + "/a.%d{yyyy-MM}.%i.log",
            prefix + "clean-history-on-start=true",
            prefix + "max-file-size=2MB",
            prefix + "total-size-cap=20MB",
            prefix + "max-history=3");
    for (List<String> properties : List.of(List.<String>of(), all)) {
      List<String> each = new ArrayList<>(properties);
      startLogging(each.toArray(String[]::new));
      Object actual = ((TieredAppender) file()).getRollingPolicy();
      forget();
      each.add(OF_BOOT);
      startLogging(each.toArray(String[]::new));
      Object expected = ((RollingFileAppender<?>) file()).getRollingPolicy();
      assertThat(actual)
          .usingRecursiveComparison()
          .comparingOnlyFields(
              "fileNamePatternStr",
              "cleanHistoryOnStart",
              "maxFileSize",
              "totalSizeCap",
              "maxHistory")
          .isEqualTo(expected);
      forget();
    }
  }

  /** As a part of Logback does that says something before it has a context. */
  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void aStartPrintsNothing(CapturedOutput output) {
    startLogging("logging.threshold.file=warn");
    assertThat(output.getOut()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"two words.log", "a(b).log", "ü.log", "a$b.log"})
  void aFileMayHaveAnyNameThatBootTakes(String name) throws Exception {
    log = dir.resolve("some where").resolve(name);
    for (String enabled : List.of("false", "true")) {
      startLogging("forebay.enabled=" + enabled);
      root.info("hello");
      forget();
    }
    assertThat(lines(log).stream().filter(line -> line.endsWith("hello"))).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "forebay.spool-sise=12MB | the nearest one is forebay.spool-size",
        "forebay.spool-size=1KB | must hold at least one segment",
        "forebay.ring-buffer-size=0 | must be between 1 and 16777216",
        "forebay.fsync=sometimes | must be never, always or an interval",
        "forebay.flight-recorder.level=LOUD | must be a level",
        "forebay.enabled=perhaps | forebay.enabled is \"perhaps\": must be true or false",
        "logging.charset.file=UTF-99 | logging.charset.file is \"UTF-99\": must be a charset",
        "logging.structured.format.file=none | format.file is \"none\": must be ecs,",
        "logging.pattern.file= | logging.pattern.file is \"\": must be a pattern",
        "logging.pattern.file=%(m | logging.pattern.file is \"%(m\": must be a pattern",
        "logging.threshold.file=LOUD | logging.threshold.file is \"LOUD\": must be a level",
        "ROLLING.max-history=week | ROLLING.max-history is \"week\": must be a whole",
        "ROLLING.max-file-size=big | big",
        "ROLLING.max-file-size=-1 | ROLLING.max-file-size is \"-1\": must be a size",
        "ROLLING.total-size-cap=-1 | ROLLING.total-size-cap is \"-1\": must be a size",
        "ROLLING.clean-history-on-start=often | start is \"often\": must be true or false",
        "ROLLING.file-name-pattern= | ROLLING.file-name-pattern is \"\": must be a path with",
        "ROLLING.file-name-pattern=a.%d | ROLLING.file-name-pattern is \"a.%d\": must be a path with",
        "ROLLING.file-name-pattern=a.%i | ROLLING.file-name-pattern is \"a.%i\": must be a path with",
        "ROLLING.file-name-pattern=a.%d{b}.%i | file-name-pattern is \"a.%d{b}.%i\": must be a",
      })
  void whatCannotBeUsedStopsTheStartAndIsNamedWithWhatToWrite(String property, String message) {
    String rolling = "logging.logback.rollingpolicy";
    assertThatThrownBy(() -> startLogging(property.replace("ROLLING", rolling)))
        .hasMessageContaining(message.replace("ROLLING", rolling));
    assertThat(log).doesNotExist();
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void whatStopsTheStartIsShownAsBootDoesWithoutStacks(CapturedOutput output) {
    assertThatThrownBy(
        () -> startLogging("forebay.spool-sise=12MB", "logging.threshold.console=error"));
    assertThat(output.getAll())
        .contains("APPLICATION FAILED TO START")
        .containsPattern("Description:\\s+forebay.spool-sise is no property of Forebay")
        .doesNotContain("\tat ");
  }
}
