package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Drops shortly before a JVM ends that nobody stops logging in. */
class LastReportTest {

  private static final long PATIENCE_S = 60;
  private static final Pattern REPORT = Pattern.compile("Forebay: (\\d+) events? dropped .*");

  @TempDir Path directory;

  @Test
  void theLastDropsAreInTheLogHoweverLongTheInterval() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                TwoBursts.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
    assertThat(child.exitValue()).as(output).isZero();

    List<String> lines = Files.readAllLines(directory.resolve("app.log"));
    long dropped = TwoBursts.EVENTS - lines.stream().filter(TwoBursts.EVENT::equals).count();
    long reported =
        lines.stream()
            .map(REPORT::matcher)
            .filter(Matcher::matches)
            .mapToLong(report -> Long.parseLong(report.group(1)))
            .sum();
    assertThat(dropped).as("events that are no line").isPositive();
    assertThat(reported).as("reported in the log").isEqualTo(dropped);
  }

  /** Logs more than fits, sees the report, does it again and ends at once. */
  static final class TwoBursts {

    static final String EVENT = "event";
    private static final int BURST = 50_000;
    static final int EVENTS = 2 * BURST;

    private TwoBursts() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      context.setMDCAdapter(new LogbackMDCAdapter());
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      String xml =
          """
          <configuration>
            <appender name="FILE" class="dev.forebay.tiered.TieredAppender">
              <file>%1$s/app.log</file>
              <spoolDirectory>%1$s</spoolDirectory>
              <ringBufferSize>16</ringBufferSize><callerEncoding>false</callerEncoding>
              <reportInterval>1 hour</reportInterval>
              <maxFlushTime>1 minute</maxFlushTime>
              <encoder><pattern>%%msg%%n</pattern></encoder>
            </appender>
            <root level="TRACE"><appender-ref ref="FILE"/></root>
          </configuration>
          """
              .formatted(args[0]);
      configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
      Logger logger = context.getLogger("application");
      TieredAppender appender =
          (TieredAppender) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("FILE");
      burst(logger);
      while (appender.snapshot().reports() == 0) {
        Thread.onSpinWait();
      }
      burst(logger);
    }

    private static void burst(Logger logger) {
      for (int i = 0; i < BURST; i++) {
        logger.info(EVENT);
      }
    }
  }
}
