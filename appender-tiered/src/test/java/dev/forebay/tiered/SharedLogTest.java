package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Appenders that name the same log file, or the same archives. */
class SharedLogTest {

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();

  @BeforeEach
  void createSpoolPlace() throws IOException {
    Files.createDirectory(directory.resolve("spool"));
    Files.createDirectory(directory.resolve("sub"));
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private TieredAppender tiered(LoggerContext of, String name, String file, String pattern) {
    TieredAppender appender =
        Joran.unstarted(of, name, directory.resolve(file), directory.resolve("spool"));
    if (!pattern.isEmpty()) {
      appender.setRollingPolicy(policy(of, appender, pattern));
    }
    appender.start();
    of.getLogger("ROOT").addAppender(appender);
    return appender;
  }

  private FileAppender<ILoggingEvent> logbacks(String name, String file) {
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setFile(in(file));
    appender.setRollingPolicy(policy(context, appender, "app.%d.log"));
    appender.setContext(context);
    appender.setName(name);
    appender.setEncoder(Joran.encoder(context));
    appender.start();
    return appender;
  }

  private String in(String name) {
    return directory + "/" + name;
  }

  private TimeBasedRollingPolicy<ILoggingEvent> policy(
      LoggerContext of, FileAppender<?> parent, String pattern) {
    TimeBasedRollingPolicy<ILoggingEvent> policy = new TimeBasedRollingPolicy<>();
    policy.setContext(of);
    policy.setParent(parent);
    policy.setFileNamePattern(in(pattern));
    policy.start();
    return policy;
  }

  private void log(Appender<ILoggingEvent> to, String message) {
    Logger logger = context.getLogger("test");
    to.doAppend(new LoggingEvent("", logger, Level.INFO, message, null, null));
  }

  private static List<String> messages(LoggerContext of, int level) {
    Await.said();
    return of.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() == level)
        .map(Status::getMessage)
        .toList();
  }

  private boolean isTold(String warning) {
    return messages(context, Status.WARN).stream().anyMatch(text -> text.contains(warning));
  }

  @Test
  void ofOnePatternTheSecondIsWrittenAndNotRolled() throws IOException {
    tiered(context, "ONE", "app.log", "old/app.%d.log");
    TieredAppender second = tiered(context, "TWO", "audit.log", "old/./app.%d.log");
    assertThat(second.isStarted()).isTrue();
    assertThat(messages(context, Status.ERROR))
        .singleElement()
        .asString()
        .contains("[TWO]", "<fileNamePattern> ", "appender [ONE]", "audit.log is not rolled");
    log(second, "to its own file");
    assertThat(second.flush(Duration.ofSeconds(30))).isTrue();
    assertThat(Files.readAllLines(directory.resolve("audit.log")))
        .containsExactly("to its own file");
  }

  /** They start before they are attached to loggers, in the order of the file. */
  @ParameterizedTest
  @CsvSource({"audit.log, app.%d.log, <fileNamePattern>, app.%d.log", "app.log,, <file>, app.log"})
  void afterTheirsOfOneFileOrPatternOursIsRefused(
      String file, @Nullable String pattern, String element, String value) {
    FileAppender<ILoggingEvent> theirs = logbacks("ONE", "app.log");

    TieredAppender second = tiered(context, "TWO", file, pattern == null ? "" : pattern);

    assertThat(second.isStarted()).isFalse();
    assertThat(messages(context, Status.ERROR))
        .singleElement()
        .asString()
        .startsWith("Appender [TWO]: not started: " + element + " " + in(value))
        .contains("appender [ONE]");
    log(second, "to nobody");
    assertThat(second.snapshot().dropped(DropReason.STOPPED)).isEqualTo(1);
    theirs.stop();
  }

  @Test
  void oneThatHasStoppedIsInNobodysWay() {
    logbacks("ONE", "app.log").stop();
    TieredAppender ours = tiered(context, "TWO", "app.log", "app.%d.log");
    ours.stop();
    ours.start();
    assertThat(ours.isStarted()).isTrue();
    assertThat(messages(context, Status.ERROR)).isEmpty();
  }

  @Test
  void theirsThatStartsAfterOursIsAWarningOnceBothWrite() {
    TieredAppender ours = tiered(context, "ONE", "app.log", "");
    FileAppender<ILoggingEvent> theirs = logbacks("TWO", "app.log");
    String warning = in("app.log") + " is also written to by others; continuing after their lines";

    for (int i = 0; i < 500 && !isTold(warning); i++) {
      log(ours, "of ours");
      log(theirs, "of theirs");
      assertThat(ours.flush(Duration.ofSeconds(30))).isTrue();
    }

    assertThat(messages(context, Status.WARN)).contains("Appender [ONE]: " + warning);
    theirs.stop();
  }
}
