package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Drops shortly before a JVM ends that nobody stops logging in. */
class LastReportTest {

  private static final Pattern REPORT = Pattern.compile("Forebay: (\\d+) events? dropped .*");

  @TempDir Path directory;

  @Test
  void theLastDropsAreInTheLogHoweverLongTheInterval() throws Exception {
    ChildJvm.run(TwoBursts.class, directory.toString());

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
      TieredAppender appender =
          Joran.tiered(
              context,
              """
              <file>%1$s/app.log</file>
              <spoolDirectory>%1$s</spoolDirectory>
              <ringBufferSize>16</ringBufferSize><callerEncoding>false</callerEncoding>
              <reportInterval>1 hour</reportInterval>
              <maxFlushTime>1 minute</maxFlushTime>
              """
                  .formatted(args[0]));
      Logger logger = context.getLogger("application");
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
