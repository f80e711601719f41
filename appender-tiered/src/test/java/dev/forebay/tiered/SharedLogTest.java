package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appenders that name the same log file, or the same archives. */
class SharedLogTest {

  private static final String TIERED = TieredAppender.class.getName();

  @TempDir Path directory;

  private final LoggerContext context = newContext();
  private final List<LoggerContext> others = new ArrayList<>();

  private static LoggerContext newContext() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  @BeforeEach
  void createSpoolPlace() throws IOException {
    Files.createDirectory(directory.resolve("spool"));
    Files.createDirectory(directory.resolve("sub"));
  }

  @AfterEach
  void stop() {
    context.stop();
    others.forEach(LoggerContext::stop);
  }

  private TieredAppender tiered(LoggerContext of, String name, String file, String pattern) {
    TieredAppender appender = new TieredAppender();
    appender.setContext(of);
    appender.setName(name);
    appender.setSpoolDirectory(directory.resolve("spool").toString());
    appender.setEncoder(encoder(of));
    if (!file.isEmpty()) {
      appender.setFile(in(file));
    }
    if (!pattern.isEmpty()) {
      appender.setRollingPolicy(policy(of, appender, pattern));
    }
    appender.start();
    of.getLogger("ROOT").addAppender(appender);
    return appender;
  }

  private FileAppender<ILoggingEvent> logbacks(String name, String file, String pattern) {
    FileAppender<ILoggingEvent> appender;
    if (pattern.isEmpty()) {
      appender = new FileAppender<>();
      appender.setFile(in(file));
    } else {
      RollingFileAppender<ILoggingEvent> rolling = new RollingFileAppender<>();
      rolling.setFile(in(file));
      rolling.setRollingPolicy(policy(context, rolling, pattern));
      appender = rolling;
    }
    appender.setContext(context);
    appender.setName(name);
    appender.setEncoder(encoder(context));
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

  private static PatternLayoutEncoder encoder(LoggerContext of) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(of);
    encoder.setPattern("%msg%n");
    encoder.start();
    return encoder;
  }

  private static void log(TieredAppender to, String message) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerContext((LoggerContext) to.getContext());
    event.setLoggerName("test");
    event.setThreadName("test");
    event.setLevel(Level.INFO);
    event.setMessage(message);
    event.setMDCPropertyMap(java.util.Map.of());
    event.setTimeStamp(0);
    to.doAppend(event);
  }

  private static List<String> messages(LoggerContext of, int level) {
    return of.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() == level)
        .map(Status::getMessage)
        .toList();
  }

  private void requireRefused(TieredAppender second, String element, String value) {
    assertThat(second.isStarted()).isFalse();
    assertThat(messages(context, Status.ERROR))
        .singleElement()
        .asString()
        .startsWith("Appender [TWO] not started: " + element + " " + value)
        .contains("appender [ONE]");
    log(second, "to nobody");
    assertThat(second.snapshot().dropped(DropReason.STOPPED, org.slf4j.event.Level.INFO))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.log", "sub/../app.log", "./app.log"})
  void ofOneFileTheSecondTakesItsTurnOnceTheFirstHasStopped(String spelledOtherwise)
      throws IOException {
    TieredAppender first = tiered(context, "ONE", "app.log", "");
    TieredAppender second = tiered(context, "TWO", spelledOtherwise, "");
    log(first, "of the first");
    log(second, "of the second");
    Await.until("the second waits", () -> isTold("[TWO]: Another appender ships to "));
    first.stop();
    assertThat(second.flush(Duration.ofSeconds(30))).isTrue();
    assertThat(Files.readAllLines(directory.resolve("app.log")))
        .containsExactly("of the first", "of the second");
    assertThat(messages(context, Status.ERROR)).isEmpty();
  }

  private boolean isTold(String warning) {
    return messages(context, Status.WARN).stream().anyMatch(text -> text.contains(warning));
  }

  @Test
  void ofOnePatternTheSecondIsWrittenAndNotRolled() throws IOException {
    tiered(context, "ONE", "app.log", "old/app.%d.log");
    TieredAppender second = tiered(context, "TWO", "audit.log", "old/./app.%d.log");
    requireNotRolled(second);
    log(second, "to its own file");
    assertThat(second.flush(Duration.ofSeconds(30))).isTrue();
    assertThat(Files.readAllLines(directory.resolve("audit.log")))
        .containsExactly("to its own file");
  }

  private void requireNotRolled(TieredAppender second) {
    assertThat(second.isStarted()).isTrue();
    assertThat(messages((LoggerContext) second.getContext(), Status.ERROR))
        .singleElement()
        .asString()
        .contains("[TWO]", "<fileNamePattern> ", "appender [ONE]", "audit.log is not rolled");
  }

  @Test
  void ofOnePatternWithoutFileTheyTakeTurns() {
    TieredAppender first = tiered(context, "ONE", "", "app.%d.log");
    TieredAppender second = tiered(context, "TWO", "", "app.%d.log");
    log(second, "of the second");
    assertThat(second.flush(Duration.ZERO)).isFalse();
    first.stop();
    assertThat(second.flush(Duration.ofSeconds(30))).isTrue();
    assertThat(messages(context, Status.ERROR)).isEmpty();
  }

  @Test
  void anAppenderThatIsStartedAgainIsNotInItsOwnWay() {
    TieredAppender appender = tiered(context, "ONE", "app.log", "app.%d.log");
    appender.stop();
    appender.start();
    assertThat(appender.isStarted()).isTrue();
    assertThat(messages(context, Status.ERROR)).isEmpty();
  }

  @Test
  void beforeTheirsOfOneFileOursIsRefusedWhereTheirsIsAttached() {
    FileAppender<ILoggingEvent> theirs = logbacks("ONE", "app.log", "");
    context.getStatusManager().clear();
    context.getLogger("some").addAppender(theirs);
    requireRefused(tiered(context, "TWO", "app.log", ""), "<file>", in("app.log"));
    theirs.stop();
  }

  @Test
  void afterTheirsOfOnePatternOursIsRefused() {
    FileAppender<ILoggingEvent> theirs = logbacks("ONE", "app.log", "app.%d.log");
    requireRefused(
        tiered(context, "TWO", "audit.log", "app.%d.log"), "<fileNamePattern>", in("app.%d.log"));
    theirs.stop();
  }

  @Test
  void theirsThatHasStoppedIsInNobodysWay() {
    logbacks("ONE", "app.log", "").stop();
    assertThat(tiered(context, "TWO", "app.log", "").isStarted()).isTrue();
  }

  /** Appenders start before they are attached, and in the order of the file. */
  @Test
  void inOneConfigurationFileOursIsRefusedBehindTheirs() throws JoranException {
    configure(
        appender("ONE", FileAppender.class.getName(), "app.log")
            + appender("TWO", TIERED, "app.log")
            + root("ONE", "TWO"));
    TieredAppender second = (TieredAppender) context.getLogger("ROOT").getAppender("TWO");
    requireRefused(second, "<file>", in("app.log"));
  }

  @Test
  void inOneConfigurationFileTheirsBehindOursIsAWarningOnceBothWrite() throws Exception {
    configure(
        appender("ONE", TIERED, "app.log")
            + appender("TWO", FileAppender.class.getName(), "app.log")
            + root("ONE", "TWO"));
    TieredAppender ours = (TieredAppender) context.getLogger("ROOT").getAppender("ONE");
    String warning = in("app.log") + " is also written to by others; continuing after their lines";
    for (int i = 0; i < 500 && !messages(context, Status.WARN).toString().contains(warning); i++) {
      context.getLogger("test").info("line {}", i);
      assertThat(ours.flush(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(messages(context, Status.WARN)).contains("Appender [ONE]: " + warning);
  }

  @Test
  void childrenOfASiftingAppenderShareAFileAndLoseNothing() throws Exception {
    configure(sift(appender("LOG-${user}", TIERED, "app.log")));
    logAs("ann");
    logAs("bob");
    assertThat(messages(context, Status.ERROR)).isEmpty();
    context.stop();
    TieredAppender last = tiered(newOther(), "LAST", "app.log", "");
    last.stop();
    assertThat(Files.readAllLines(directory.resolve("app.log")))
        .containsExactlyInAnyOrder("of ann", "of bob");
  }

  /** Refused it would lose lines, rolled it would overwrite the archives of the first. */
  @Test
  void childrenOfASiftingAppenderThatShareAPatternAreWrittenAndTheSecondIsNotRolled()
      throws Exception {
    String rolling =
        """
        <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
          <fileNamePattern>%s/app.%%d.%%i.log</fileNamePattern><maxFileSize>1KB</maxFileSize>
          <checkIncrement>0 milliseconds</checkIncrement>
        </rollingPolicy>
        """
            .formatted(directory);
    configure(
        sift(
            appender("LOG-${user}", TIERED, "${user}.log")
                .replace("<encoder>", rolling + "<encoder>")));
    int count = 200;
    for (int i = 0; i < count; i++) {
      logAs("ann");
      logAs("bob");
    }
    assertThat(messages(context, Status.ERROR))
        .singleElement()
        .asString()
        .contains("[LOG-bob]", "<fileNamePattern>", "appender [LOG-ann]", "not rolled");
    context.stop();
    assertThat(Files.readAllLines(directory.resolve("bob.log"))).hasSize(count);
    int lines = 0;
    try (var files = Files.newDirectoryStream(directory, "{ann,app.*}.log")) {
      for (Path file : files) {
        lines += Files.readAllLines(file).size();
      }
    }
    assertThat(lines).isEqualTo(count);
  }

  @Test
  void anAppenderOfAnotherContextWithOnePatternIsNotRolledEither() {
    tiered(context, "ONE", "app.log", "app.%d.log");
    requireNotRolled(tiered(newOther(), "TWO", "audit.log", "app.%d.log"));
  }

  @Test
  void anotherContextOfTheSameFileIsNotToldOfAPattern() {
    tiered(context, "ONE", "app.log", "app.%d.log");
    LoggerContext other = newOther();
    assertThat(tiered(other, "TWO", "app.log", "app.%d.log").isStarted()).isTrue();
    assertThat(messages(other, Status.WARN)).noneMatch(text -> text.contains("<fileNamePattern>"));
  }

  private LoggerContext newOther() {
    LoggerContext other = newContext();
    others.add(other);
    return other;
  }

  private void logAs(String user) {
    context.getMDCAdapter().put("user", user);
    context.getLogger("test").info("of {}", user);
    context.getMDCAdapter().clear();
  }

  private void configure(String inner) throws JoranException {
    Joran.configure(context, "<configuration>%s</configuration>".formatted(inner));
  }

  private String appender(String name, String type, String file) {
    return """
    <appender name="%s" class="%s">
      <file>%s</file>%s
      <encoder><pattern>%%msg%%n</pattern></encoder>
    </appender>
    """
        .formatted(
            name,
            type,
            in(file),
            type.equals(TIERED)
                ? "<spoolDirectory>%s</spoolDirectory><maxFlushTime>30 seconds</maxFlushTime>"
                    .formatted(directory.resolve("spool"))
                : "");
  }

  private static String sift(String nested) {
    return """
    <appender name="SIFT" class="ch.qos.logback.classic.sift.SiftingAppender">
      <discriminator><key>user</key><defaultValue>nobody</defaultValue></discriminator>
      <sift>%s</sift>
    </appender>
    """
            .formatted(nested)
        + root("SIFT");
  }

  private static String root(String... names) {
    StringBuilder references = new StringBuilder();
    for (String name : names) {
      references.append("<appender-ref ref=\"%s\"/>".formatted(name));
    }
    return "<root level=\"TRACE\">" + references + "</root>";
  }

  @Test
  void anAppenderIsNotItsOwnNeighbourWhenItsFirstStartWasBrokenOff() {
    StatusListener listener =
        status -> {
          throw new IllegalStateException("a listener of the user");
        };
    TieredAppender appender = new TieredAppender();
    appender.setContext(context);
    appender.setName("A");
    appender.setSpoolDirectory(directory.resolve("spool").toString());
    appender.setEncoder(encoder(context));
    appender.setFile(in("app.log"));
    appender.setBufferSize(new FileSize(8192)); // has no meaning here, which is a warning
    context.getStatusManager().add(listener);
    assertThatThrownBy(appender::start).hasMessage("a listener of the user");
    context.getStatusManager().remove(listener);

    appender.start();

    assertThat(appender.isStarted()).isTrue();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .noneMatch(status -> status.getMessage().contains("is also used by"));
    appender.stop();
  }
}
