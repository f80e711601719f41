package dev.forebay.it.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import dev.forebay.host.Await;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Mounted;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of archives where the disk or another appender is in the way, theirs and ours. */
class ArchiveScenariosIT {

  private static final String ROLLING = RollingFileAppender.class.getName();
  private static final int COUNT = 2000;

  @AutoClose private final Places places = Places.create();

  private static String sizeAndTime(String pattern, String size) {
    return """
    <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
      <fileNamePattern>%s</fileNamePattern><maxFileSize>%s</maxFileSize>
    </rollingPolicy>
    """
        .formatted(pattern, size);
  }

  private String file() {
    return "<file>%s</file>".formatted(places.log());
  }

  private static void log(Tiered logback, String producer, int from, int count) {
    for (int number = from; number < from + count; number++) {
      logback.logger().info(new Numbered(producer, number).text());
    }
  }

  private static Appender<ILoggingEvent> appender(Tiered logback, String name) {
    return logback.context().getLogger(Logger.ROOT_LOGGER_NAME).getAppender(name);
  }

  private static void requireSettled(Appender<ILoggingEvent> appender, long offered) {
    if (appender instanceof TieredAppender ours) {
      assertThat(ours.snapshot().toString())
          .isEqualTo(
              "offered %1$d = delivered %1$d + dropped 0 {} + in flight 0".formatted(offered));
    }
  }

  /** A rename to another file system is a copy. */
  @ParameterizedTest
  @EnumSource
  void archivesMayBeOnAnotherFileSystem(Side side) throws Exception {
    Path elsewhere = Files.createTempDirectory(places.spool(), "archives");
    String policy = sizeAndTime(elsewhere + "/app-%d{yyyy-MM-dd}.%i.log", "20KB");
    try (Tiered logback = side.configured(ROLLING, file() + policy + Xml.MESSAGES, places)) {
      Appender<ILoggingEvent> appender = appender(logback, "LOG");
      log(logback, "p", 0, COUNT);
      logback.context().stop();
      assertThat(logback.errors()).isEmpty();
      assertThat(logback.warnings()).anyMatch(text -> text.contains("different file systems"));
      requireSettled(appender, COUNT);
    }
    LogFiles archives = LogFiles.of(elsewhere.resolve("app.log"));
    assertThat(archives.fileCount()).isGreaterThan(2);
    List<String> lines = new ArrayList<>(archives.lines());
    lines.addAll(LogFiles.linesOf(places.log()));
    new Oracle().producer("p", COUNT, COUNT).complete(0).requireSound(lines);
  }

  /** The policy inside another, as configurations of Logback 1.1 have it. */
  @ParameterizedTest
  @EnumSource
  void aSizeInsideATimeBasedPolicyIsTakenWithAWarning(Side side) throws Exception {
    String policy =
        """
        <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
          <fileNamePattern>%s/app-%%d{yyyy-MM-dd}.%%i.log</fileNamePattern>
          <timeBasedFileNamingAndTriggeringPolicy
              class="ch.qos.logback.core.rolling.SizeAndTimeBasedFNATP">
            <maxFileSize>20KB</maxFileSize>
          </timeBasedFileNamingAndTriggeringPolicy>
        </rollingPolicy>
        """
            .formatted(places.logDirectory());
    try (Tiered logback = side.configured(ROLLING, file() + policy + Xml.MESSAGES, places)) {
      Appender<ILoggingEvent> appender = appender(logback, "LOG");
      assertThat(logback.warnings()).anyMatch(text -> text.contains("deprecated"));
      log(logback, "p", 0, COUNT);
      logback.context().stop();
      assertThat(logback.errors()).isEmpty();
      requireSettled(appender, COUNT);
    }
    assertThat(LogFiles.of(places.log()).fileCount()).isGreaterThan(2);
    new Oracle().producer("p", COUNT, COUNT).complete(0).requireSound(places.lines());
  }

  /** Two appenders without a file of a name, but with the same pattern. */
  @Test
  void twoAppendersOfOnePatternAreRefusedByTheirsAndTakeTurnsWithUs() throws Exception {
    String inner =
        sizeAndTime(places.logDirectory() + "/app-%d{yyyy-MM-dd}.%i.log", "1MB") + Xml.MESSAGES;
    try (Tiered logback = both(Side.THEIRS, inner)) {
      assertThat(appender(logback, "TWO")).as("their second").isNull();
      assertThat(logback.errors()).isNotEmpty();
    }
    try (Tiered logback = both(Side.OURS, inner)) {
      logback.awaitWarning("[TWO]", "Another appender ships to", "spooling only until it stops");
      assertThat(logback.errors()).isEmpty();
      log(logback, "first", 0, 10);
      logback.context().stop();
    }
    List<String> lines = places.lines(); // both were given all
    assertThat(lines).hasSize(20);
    assertThat(lines.subList(0, 10)).doesNotHaveDuplicates().isEqualTo(lines.subList(10, 20));
  }

  private Tiered both(Side side, String inner) throws Exception {
    return Side.configured(
        side.appender("ONE", ROLLING, inner, places) + side.appender("TWO", ROLLING, inner, places),
        "ONE",
        "TWO");
  }

  /** Logback 1.5 deletes what it could not pack; of ours the original is kept. */
  @ParameterizedTest
  @EnumSource
  void aDiskThatIsFullWhileAnArchiveIsPackedCostsUsNoArchiveAndMayCostThemOne(Side side)
      throws Exception {
    try (Mounted memory = Mounted.memory(places, "size=512k")) {
      Path log = memory.at().resolve("app.log");
      Path filler = memory.at().resolve("filler");
      String inner =
          "<file>%s</file>".formatted(log)
              + sizeAndTime(memory.at() + "/app-%d{yyyy-MM-dd}.%i.log.gz", "100KB")
              + Xml.MESSAGES;
      int count = 0;
      try (Tiered logback = side.configured(ROLLING, inner, places)) {
        while (!Files.exists(log) || Files.size(log) < 90_000) {
          log(logback, "p", count, 10);
          count += 10;
          flush(logback);
        }
        int before = count;
        fillUp(filler);
        while (logback.problems().stream().noneMatch(ArchiveScenariosIT::isOfPacking)) {
          log(logback, "p", count, 10);
          count += 10;
          assertThat(count).as("rolled").isLessThan(10 * before);
          Await.pass(Duration.ofMillis(20));
        }
        Files.delete(filler);
        logback.context().stop();
      }
      try (Tiered logback = side.configured(ROLLING, inner, places)) {
        logback.context().stop();
      }
      if (side == Side.OURS) {
        new Oracle().producer("p", count, count).complete(0).requireSound(LogFiles.of(log).lines());
      } else {
        assertThat(LogFiles.of(log).paths()).as("half an archive and no original").hasSize(2);
        assertThatThrownBy(() -> LogFiles.of(log).lines()).isInstanceOf(IOException.class);
      }
    }
  }

  private static boolean isOfPacking(String problem) {
    return problem.contains("while compressing") || problem.contains("which cannot be created");
  }

  private static void flush(Tiered logback) {
    if (appender(logback, "LOG") instanceof TieredAppender ours) {
      assertThat(ours.flush(Duration.ofSeconds(20))).isTrue();
    }
  }

  /** Leaves room for the rest of the active file, not for a packed one. */
  private static void fillUp(Path filler) throws IOException {
    long free = Files.getFileStore(filler.resolveSibling("")).getUsableSpace();
    Files.write(filler, new byte[(int) free - (20 << 10)]);
  }

  /** Appender and policies made by a program, stopped and started again. */
  @ParameterizedTest
  @EnumSource
  void policiesStopWithTheAppenderAndStartAgainOnlyWithOurs(Side side) throws Exception {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    FileAppender<ILoggingEvent> appender = made(side, context);
    TimeBasedRollingPolicy<ILoggingEvent> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setParent(appender);
    policy.setFileNamePattern(places.logDirectory() + "/app-%d.log");
    policy.start();
    if (appender instanceof TieredAppender ours) {
      ours.setRollingPolicy(policy);
    } else {
      ((RollingFileAppender<ILoggingEvent>) appender).setRollingPolicy(policy);
    }
    appender.start();
    assertThat(appender.isStarted()).isTrue();
    appender.stop();
    assertThat(appender.isStarted()).isFalse();
    assertThat(policy.isStarted()).isFalse();

    appender.start();
    assertThat(appender.isStarted()).isEqualTo(side == Side.OURS);
    assertThat(policy.isStarted()).isEqualTo(side == Side.OURS);
    context.getLogger("it").addAppender(appender);
    context.getLogger("it").info(new Numbered("p", 0).text());
    appender.stop();
    long lines = side == Side.OURS ? 1 : 0;
    new Oracle().producer("p", lines, lines).complete(0).requireSound(places.lines());
    requireSettled(appender, 1);
  }

  private FileAppender<ILoggingEvent> made(Side side, LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    FileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    if (side == Side.OURS) {
      TieredAppender ours = new TieredAppender();
      ours.setSpoolDirectory(places.spool().toString());
      appender = ours;
    }
    appender.setContext(context);
    appender.setName("LOG");
    appender.setFile(places.log().toString());
    appender.setEncoder(encoder);
    return appender;
  }
}
