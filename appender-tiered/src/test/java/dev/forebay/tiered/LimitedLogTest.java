package dev.forebay.tiered;

import static dev.forebay.host.DumpFiles.events;
import static dev.forebay.tiered.FlightRig.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.host.FileTree;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log, a durable call and a flight recorder have of a logger with a limit. */
class LimitedLogTest {

  private static final int CALLS = 300;

  /** One event a second more passes if a test takes so long. */
  private static final String LIMIT =
      "<limit><logger>noisy</logger><perSecond>1</perSecond><burst>20</burst></limit>"
          + "<reportInterval>10 ms</reportInterval>";

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final Logger noisy = context.getLogger("noisy.Db");

  @AfterEach
  void stop() {
    context.stop();
  }

  private TieredAppender configure(String more) throws Exception {
    return Joran.tiered(
        context,
        """
        <file>%1$s/app.log</file>
        <spoolDirectory>%1$s</spoolDirectory>
        <maxFlushTime>1 minute</maxFlushTime>
        %2$s%3$s
        """
            .formatted(directory, LIMIT, more));
  }

  private static long limited(TieredAppender appender) {
    return appender.snapshot().dropped(DropReason.LIMITED);
  }

  @Test
  void theLogHasWhatPassedAndALineWhereTheRestIsMissing() throws Exception {
    TieredAppender appender = configure("");
    for (int i = 0; i < CALLS; i++) {
      noisy.info("event {}", i);
      context.getLogger("quiet").info("quiet");
    }
    context.stop();
    List<String> lines = Files.readAllLines(directory.resolve("app.log"));
    long passed = lines.stream().filter(line -> line.startsWith("event ")).count();
    assertThat(passed).isGreaterThanOrEqualTo(20);
    assertThat(lines).filteredOn(line -> line.equals("quiet")).hasSize(CALLS);
    assertThat(limited(appender)).isEqualTo(CALLS - passed);
    assertThat(lines)
        .filteredOn(line -> line.startsWith("Forebay: "))
        .hasSize((int) appender.snapshot().reports())
        .isNotEmpty()
        .allMatch(
            line ->
                line.matches(
                    "Forebay: \\d+ events? dropped between \\S+ and \\S+: LIMITED (\\d+) \\(INFO \\1\\); LIMITED: noisy\\.Db \\d+"));
    Joran.requireLaw(appender.snapshot());
    LedgerSnapshot account = appender.snapshot();
    assertThat(account.offered() - account.reports()).isEqualTo(2 * CALLS);
    assertThat(appender.snapshot().inFlight()).isZero();
  }

  @Test
  void aDurableCallIsLimitedLikeAnyOtherAndConfirmedIfItPassed() throws Exception {
    TieredAppender appender =
        configure("<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>");
    for (int i = 0; i < CALLS; i++) {
      long before = limited(appender);
      noisy.info("event [{}]", i);
      assertThat(FileTree.contains(directory, "event [" + i + "]"))
          .isEqualTo(limited(appender) == before);
    }
    assertThat(limited(appender)).isPositive();
    assertThat(appender.snapshot().unconfirmed()).isZero();
    context.stop();
    Joran.requireLaw(appender.snapshot());
    assertThat(appender.snapshot().inFlight()).isZero();
  }

  @Test
  void aRecorderHasWhatPassedAndAnExemptErrorDumpsIt() throws Exception {
    try (FlightRig rig = FlightRig.create()) {
      rig.configureWith(LIMIT, "<after>0</after>");
      Logger limited = rig.context.getLogger("noisy.Db");
      for (int i = 0; i < CALLS; i++) {
        limited.trace("trace {}", i);
      }
      limited.error("error");
      long passed = CALLS - limited(rig.appender);
      List<String> dumped = events(rig.awaitDumps(1).get(0));
      assertThat(dumped).contains("trace 0", "error");
      assertThat(dumped).filteredOn(line -> line.startsWith("trace ")).hasSize((int) passed);
      assertThat(rig.appender.flush(LONG)).isTrue();
      assertThat(rig.appender.snapshot().held()).isEqualTo(passed);
    }
  }
}
