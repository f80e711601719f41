package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** A JVM that ends while its log cannot be written and nobody has stopped the appender. */
class ShutdownWarningTest {

  private static final long PATIENCE_S = 60;

  @TempDir Path directory;

  @Test
  void whatIsOnlyInTheHeapIsWarnedOf() throws Exception {
    assertThat(outputWithSpoolIn(directory.resolve("missing")))
        .contains("Appender [FILE]: 5 events were not delivered within <maxFlushTime> (3000 ms)")
        .contains("offered 5 = delivered 0 + dropped 0 {} + in flight 5");
  }

  @Test
  void whatIsInFilesIsNot() throws Exception {
    assertThat(outputWithSpoolIn(directory)).isEmpty();
  }

  private String outputWithSpoolIn(Path spool) throws Exception {
    Path file = Files.createFile(directory.resolve("no-directory"));
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                EndWithoutALog.class.getName(),
                file.toString(),
                spool.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
    assertThat(child.exitValue()).as(output).isZero();
    return output;
  }

  /** Logs to a file that cannot be made, and ends. */
  static final class EndWithoutALog {

    private EndWithoutALog() {}

    public static void main(String[] args) throws Exception {
      LoggerContext context = new LoggerContext();
      context.setMDCAdapter(new LogbackMDCAdapter());
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      String xml =
          """
          <configuration>
            <appender name="FILE" class="dev.forebay.tiered.TieredAppender">
              <file>%s/app.log</file>
              <spoolDirectory>%s</spoolDirectory>
              <maxFlushTime>3 seconds</maxFlushTime>
              <encoder><pattern>%%msg%%n</pattern></encoder>
            </appender>
            <root level="TRACE"><appender-ref ref="FILE"/></root>
          </configuration>
          """
              .formatted((Object[]) args);
      configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
      Logger logger = context.getLogger("application");
      for (int i = 0; i < 5; i++) {
        logger.info("event");
      }
    }
  }
}
