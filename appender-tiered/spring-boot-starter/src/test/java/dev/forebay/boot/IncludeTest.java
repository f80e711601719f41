package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.status.Status;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The appender in a configuration of Logback, by its include and with elements of its own. */
class IncludeTest {

  private static final String DEFAULTS =
      "<include resource='org/springframework/boot/logging/logback/defaults.xml'/>";
  private static final String INCLUDE = "<include resource='dev/forebay/boot/file-appender.xml'/>";

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
  void theIncludeFollowsThePropertiesOfTheApplication() throws Exception {
    apps.start(
        config(DEFAULTS + INCLUDE),
        "logging.file.name=" + log,
        "logging.pattern.file=<%m>%n",
        "forebay.flight-recorder.level=ERROR");
    apps.root().info("recorded");
    apps.root().error("logged");
    assertThat(apps.statuses(Status.WARN)).isEmpty();
    assertThat(apps.lines(log)).contains("<logged>").doesNotContain("<recorded>");
  }

  @Test
  void theIncludeHasBootsPattern() throws Exception {
    String[] properties = {"logging.file.name=" + log, "logging.pattern.dateformat=yyyy"};
    apps.start(properties);
    apps.root().info("hello");
    List<String> lines = apps.lines(log);
    String expected = lines.get(lines.size() - 1);
    Files.delete(log);
    apps.start(config(DEFAULTS + INCLUDE), properties[0], properties[1]);
    assertThat(apps.statuses(Status.WARN)).isEmpty();
    apps.root().info("hello");
    assertThat(apps.lines(log)).last().isEqualTo(expected);
  }

  @Test
  void propertiesOfTheConfigurationCountAsBoots() throws Exception {
    apps.start(
        config(
            DEFAULTS
                + "<property name='LOG_FILE' value='"
                + log
                + "'/><property name='FILE_LOG_PATTERN' value='&lt;%m&gt;%n'/>"
                + "<property name='FILE_LOG_THRESHOLD' value='WARN'/>"
                + INCLUDE));
    apps.root().info("filtered");
    apps.root().warn("hello");
    assertThat(apps.lines(log)).containsExactly("<hello>");
  }

  @Test
  void aStructuredFormatNeedsNoDefaults() throws Exception {
    apps.start(
        config(INCLUDE), "logging.file.name=" + log, "logging.structured.format.file=logstash");
    apps.root().info("hello");
    assertThat(apps.lines(log)).last().asString().contains("\"message\":\"hello\"");
  }

  @Test
  void withoutDefaultsTheMessageSaysWhatToInclude() throws Exception {
    assertThatThrownBy(() -> apps.start(config(INCLUDE), "logging.file.name=" + log))
        .hasMessageContaining("after org/springframework/boot/logging/logback/defaults.xml");
  }

  @Test
  void withoutAFileTheMessageSaysWhatToSet() throws Exception {
    assertThatThrownBy(() -> apps.start(config(DEFAULTS + INCLUDE)))
        .hasMessageContaining("set logging.file.name or logging.file.path");
  }

  @Test
  void aMisspeltPropertyIsRefused() throws Exception {
    assertThatThrownBy(
            () ->
                apps.start(
                    config(DEFAULTS + INCLUDE), "logging.file.name=" + log, "forebay.fsink=never"))
        .hasMessageContaining("the nearest one is forebay.fsync");
  }

  @Test
  void theFileInTheConfigurationWinsWithOneWarning() throws Exception {
    Path own = dir.resolve("own.log");
    apps.start(
        config(appender("<file>" + own + "</file>")),
        "logging.file.name=" + log,
        "logging.pattern.file=%m%n");
    assertThat(apps.statuses(Status.WARN))
        .singleElement()
        .asString()
        .contains(own.toString(), log.toString(), "remove one of the two");
    apps.root().info("hello");
    assertThat(apps.lines(own)).last().asString().endsWith("hello");
    assertThat(log).doesNotExist();
  }

  @Test
  void theFileInTheConfigurationMayBeThatOfTheProperty() throws Exception {
    apps.start(
        config(appender("<file>${LOG_FILE}</file>")),
        "logging.file.name=" + log,
        "logging.pattern.file=%m%n");
    assertThat(apps.statuses(Status.WARN)).isEmpty();
  }

  @Test
  void aFileInTheConfigurationAloneIsEnough() throws Exception {
    apps.start(config(appender("<file>" + log + "</file>")), "logging.pattern.file=%m%n");
    assertThat(apps.statuses(Status.WARN)).isEmpty();
    assertThat(((FileAppender) apps.file()).getRollingPolicy()).isNotNull();
    apps.root().info("hello");
    assertThat(apps.lines(log)).last().asString().endsWith("hello");
  }

  @Test
  void elementsOfTheConfigurationStay() throws Exception {
    apps.start(
        config(
            DEFAULTS
                + appender(
                    """
                    <file>PATH</file>
                    <encoder><pattern>own %m%n</pattern></encoder>
                    <rollingPolicy class='ch.qos.logback.core.rolling.FixedWindowRollingPolicy'>
                      <fileNamePattern>PATH.%i</fileNamePattern>
                    </rollingPolicy>
                    <triggeringPolicy
                        class='ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy'/>
                    <filter class='ch.qos.logback.classic.filter.ThresholdFilter'>
                      <level>WARN</level>
                    </filter>
                    """
                        .replace("PATH", log.toString()))),
        "logging.pattern.file=boot %m%n");
    assertThat(((FileAppender) apps.file()).getRollingPolicy())
        .isInstanceOf(FixedWindowRollingPolicy.class);
    apps.root().info("filtered");
    apps.root().warn("hello");
    assertThat(apps.lines(log)).containsExactly("own hello");
  }

  @Test
  void aSecondStartKeepsTheSettings() throws Exception {
    apps.start(
        config(DEFAULTS + INCLUDE),
        "logging.file.name=" + log,
        "logging.pattern.file=%m%n",
        "logging.threshold.file=warn");
    apps.file().stop();
    apps.file().start();
    apps.root().info("filtered");
    apps.root().warn("hello");
    assertThat(apps.lines(log)).containsExactly("hello");
  }

  @Test
  void aFileThatLogbackReadsAgainMeansTheSame() throws Exception {
    String config = config(DEFAULTS + INCLUDE);
    apps.start(config, "logging.file.name=" + log, "logging.pattern.file=<%m>%n");
    for (int i = 0; i < 2; i++) { // as its scan does after a change
      apps.logback().reset();
      JoranConfigurator logback = new JoranConfigurator();
      logback.setContext(apps.logback());
      logback.doConfigure(config.substring("logging.config=".length()));
    }
    apps.root().info("hello");
    assertThat(apps.lines(log)).contains("<hello>");
  }

  @Test
  void aSecondApplicationMayBringOrDropTheConfiguration() throws Exception {
    String pattern = "logging.pattern.file=%m%n";
    apps.start("logging.file.name=" + log, pattern);
    apps.root().info("one");
    apps.end();
    apps.start(config(DEFAULTS + INCLUDE), "logging.file.name=" + dir.resolve("2.log"), pattern);
    apps.root().info("two");
    apps.end();
    apps.start("logging.file.name=" + dir.resolve("3.log"), pattern);
    apps.root().info("three");
    assertThat(apps.lines(dir.resolve("3.log"))).endsWith("three").doesNotContain("one", "two");
    assertThat(apps.lines(dir.resolve("2.log"))).endsWith("two").doesNotContain("one");
    assertThat(apps.lines(log)).endsWith("one");
  }

  @Test
  void beforeBootConfiguresLogbackItWaits() throws Exception {
    JoranConfigurator logback = new JoranConfigurator();
    logback.setContext(apps.logback());
    logback.doConfigure(new ByteArrayInputStream(xml(INCLUDE).getBytes(StandardCharsets.UTF_8)));
    assertThat(apps.file().isStarted()).isFalse();
    assertThat(apps.statuses(Status.WARN)).isEmpty();
    assertThat(apps.statuses(Status.INFO)).anyMatch(each -> each.contains("waits for Spring Boot"));
  }

  private static String appender(String elements) {
    return "<appender name='FILE' class='dev.forebay.boot.FileAppender'>"
        + elements
        + "</appender>";
  }

  private static String xml(String elements) {
    return "<configuration>"
        + elements
        + "<root level='INFO'><appender-ref ref='FILE'/></root></configuration>";
  }

  private String config(String elements) throws Exception {
    return "logging.config=" + Files.writeString(dir.resolve("logback.xml"), xml(elements));
  }
}
