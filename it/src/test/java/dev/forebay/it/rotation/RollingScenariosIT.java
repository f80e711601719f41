package dev.forebay.it.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Logback's file appenders are tested for, with them and with ours in the same configuration,
 * and where they differ.
 */
class RollingScenariosIT {

  private static final String ROLLING = RollingFileAppender.class.getName();
  private static final String FILE = FileAppender.class.getName();
  private static final String SIFTING =
      """
      <appender name="SIFT" class="ch.qos.logback.classic.sift.SiftingAppender">
        <discriminator><key>user</key><defaultValue>nobody</defaultValue></discriminator>
        <sift>%s</sift>
      </appender>
      """;
  private static final int THREADS = 10;
  private static final int EACH = 400;

  @AutoClose private final Places places = Places.create();

  private Tiered configured(Side side, String type, String inner) throws Exception {
    return side.configured(type, inner, places);
  }

  private static Tiered configured(String appenders, String... names) throws Exception {
    return Side.configured(appenders, names);
  }

  private static Appender<ILoggingEvent> appender(Tiered logback, String name) {
    return logback.context().getLogger(Logger.ROOT_LOGGER_NAME).getAppender(name);
  }

  private static void log(Tiered logback, String producer, int from, int count) {
    for (int number = from; number < from + count; number++) {
      logback.logger().info(new Numbered(producer, number).text());
    }
  }

  private String file() {
    return "<file>%s</file>".formatted(places.log());
  }

  /** Nothing but whole lines of these producers, in order and once; from any number of files. */
  private static void requireAll(List<String> lines, int count, String... producers) {
    Oracle oracle = new Oracle();
    for (String producer : producers) {
      oracle.producer(producer, count, count);
    }
    oracle.complete(0).requireSound(lines);
  }

  private static void requireSettled(Appender<ILoggingEvent> appender, long offered) {
    if (appender instanceof TieredAppender ours) {
      assertThat(ours.snapshot().toString())
          .isEqualTo(
              "offered %1$d = delivered %1$d + dropped 0 {} + in flight 0".formatted(offered));
    }
  }

  private static String bySize(Path directory, String size) {
    return Xml.rollBySize(directory, size);
  }

  private String fixedWindow() {
    return """
    <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
      <fileNamePattern>%s/app.%%i.log</fileNamePattern><minIndex>1</minIndex><maxIndex>20</maxIndex>
    </rollingPolicy>
    <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
      <maxFileSize>100KB</maxFileSize><checkIncrement>0 milliseconds</checkIncrement>
    </triggeringPolicy>
    """
        .formatted(places.logDirectory());
  }

  private String byTime(String pattern) {
    return """
    <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
      <fileNamePattern>%s/%s</fileNamePattern>
    </rollingPolicy>
    """
        .formatted(places.logDirectory(), pattern);
  }

  @ParameterizedTest
  @EnumSource
  void tenThreadsOverManyRollsBySizeLoseAndDoubleNoLine(Side side) throws Exception {
    tenThreads(side, fixedWindow());
    requireAllOfTenThreads(LogFiles.of(places.log()).numberedFromNewest());
  }

  @ParameterizedTest
  @EnumSource
  void tenThreadsOverManyRollsByTimeLoseAndDoubleNoLine(Side side) throws Exception {
    tenThreads(side, byTime("app-%d{yyyy-MM-dd'T'HH_mm_ss_SSS}.log"));
    requireAllOfTenThreads(LogFiles.of(places.log()));
  }

  private void tenThreads(Side side, String policies) throws Exception {
    try (Tiered logback = configured(side, ROLLING, file() + policies + Xml.MESSAGES)) {
      Appender<ILoggingEvent> appender = appender(logback, "LOG");
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String name = "t" + i;
        Thread thread = new Thread(() -> log(logback, name, 0, EACH));
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      logback.context().stop();
      assertThat(logback.errors()).isEmpty();
      requireSettled(appender, THREADS * EACH);
    }
  }

  private static void requireAllOfTenThreads(LogFiles files) throws IOException {
    assertThat(files.fileCount()).isGreaterThan(2);
    requireAll(
        files.lines(),
        EACH,
        Stream.iterate(0, i -> i + 1).limit(THREADS).map(i -> "t" + i).toArray(String[]::new));
  }

  @Test
  void aFileNamedAfterItsPolicyIsAcceptedByUsAndAnErrorWithThem() throws Exception {
    String inner = bySize(places.logDirectory(), "1MB") + file() + Xml.MESSAGES;
    try (Tiered theirs = configured(Side.THEIRS, ROLLING, inner)) {
      assertThat(theirs.errors()).anyMatch(text -> text.contains("File property must be set"));
    }
    Files.deleteIfExists(places.log());
    try (Tiered ours = configured(Side.OURS, ROLLING, inner)) {
      assertThat(ours.errors()).isEmpty();
      ours.log("p", 0, 10).flush();
      requireSettled(ours.appender(), 10);
    }
    requireAll(places.lines(), 10, "p");
  }

  @ParameterizedTest
  @EnumSource
  void aFixedWindowInFrontOfTheFileEndsTheConfiguration(Side side) {
    assertThatThrownBy(() -> configured(side, ROLLING, fixedWindow() + file() + Xml.MESSAGES))
        .as("by Logback's policy, before either appender is asked")
        .isInstanceOf(IllegalStateException.class);
  }

  static Stream<Arguments> refusedByThePolicy() {
    return Stream.of(
        Arguments.of("no number", bySizeIn("app-%d.log", "<maxFileSize>1MB</maxFileSize>")),
        Arguments.of("no size", bySizeIn("app-%d.%i.log", "")),
        Arguments.of(
            "days that come again",
            bySizeIn("app-%d{dd}.%i.log", "<maxFileSize>1MB</maxFileSize>")),
        Arguments.of(
            "weekdays that come again",
            bySizeIn("app-%d{EE}.%i.log", "<maxFileSize>1MB</maxFileSize>")));
  }

  private static String bySizeIn(String pattern, String inner) {
    return """
    <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
      <fileNamePattern>DIR/%s</fileNamePattern>%s
    </rollingPolicy>
    """
        .formatted(pattern, inner);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusedByThePolicy")
  void aPolicyThatRefusesItsPatternKeepsBothFromStarting(String shape, String policy)
      throws Exception {
    for (Side side : Side.values()) {
      String inner =
          file() + policy.replace("DIR", places.logDirectory().toString()) + Xml.MESSAGES;
      try (Tiered logback = configured(side, ROLLING, inner)) {
        assertThat(appender(logback, "LOG").isStarted()).as("%s %s", side, shape).isFalse();
        assertThat(logback.errors()).as("%s %s", side, shape).isNotEmpty();
        log(logback, "p", 0, 3); // throws nothing
        if (side == Side.OURS) {
          assertThat(logback.errors())
              .anyMatch(text -> text.startsWith("Appender [LOG] not started"));
          assertThat(logback.snapshot().dropped()).isEqualTo(3);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCapBelowTheSizeOfOneFileIsAWarning(Side side) throws Exception {
    String policy =
        bySize(places.logDirectory(), "1MB")
            .replace("</maxFileSize>", "</maxFileSize><totalSizeCap>10KB</totalSizeCap>");
    try (Tiered logback = configured(side, ROLLING, file() + policy + Xml.MESSAGES)) {
      assertThat(appender(logback, "LOG").isStarted()).isTrue();
      assertThat(logback.warnings()).anyMatch(text -> text.contains("totalSizeCap"));
      log(logback, "p", 0, 10);
      logback.context().stop();
    }
    requireAll(places.lines(), 10, "p");
  }

  @Test
  void twoAppendersOfOneFileAreRefusedByTheirsAndTakeTurnsWithUs() throws Exception {
    String inner = file() + Xml.MESSAGES;
    String[] names = {"ONE", "TWO"};
    String theirs =
        Side.THEIRS.appender("ONE", FILE, inner, places)
            + Side.THEIRS.appender("TWO", FILE, inner, places);
    try (Tiered logback = configured(theirs, names)) {
      assertThat(appender(logback, "TWO")).as("their second").isNull();
      assertThat(logback.errors()).isNotEmpty();
    }
    String ours =
        Side.OURS.appender("ONE", FILE, inner, places)
            + Side.OURS.appender("TWO", FILE, inner, places);
    try (Tiered logback = configured(ours, names)) {
      logback.awaitWarning(places.log().toString(), "[TWO]", "spooling only until it stops");
      assertThat(logback.errors()).isEmpty();
      append(appender(logback, "ONE"), "one", 10);
      TieredAppender two = (TieredAppender) appender(logback, "TWO");
      append(two, "two", 10);
      logback.context().stop();
      assertThat(two.snapshot().dropped()).isZero();
    }
    requireAll(places.lines(), 10, "one", "two");
  }

  @Test
  void aFileSharedWithOneOfTheirAppendersHoldsTheLinesOfBoth() throws Exception {
    String inner = file() + Xml.MESSAGES;
    String mixed =
        Side.OURS.appender("OURS", FILE, inner, places)
            + Side.THEIRS.appender("THEIRS", FILE, inner, places);
    try (Tiered logback = configured(mixed, "OURS", "THEIRS")) {
      TieredAppender ours = (TieredAppender) appender(logback, "OURS");
      for (int i = 0; i < 20; i++) {
        ours.doAppend(event(logback.context(), "ours", i));
        appender(logback, "THEIRS").doAppend(event(logback.context(), "theirs", i));
      }
      logback.context().stop();
      requireSettled(ours, 20);
    }
    requireAll(places.lines(), 20, "ours", "theirs");
  }

  private static void append(Appender<ILoggingEvent> to, String producer, int count) {
    for (int i = 0; i < count; i++) {
      to.doAppend(event((LoggerContext) to.getContext(), producer, i));
    }
  }

  private static LoggingEvent event(LoggerContext context, String producer, int number) {
    return new LoggingEvent(
        "fqcn",
        context.getLogger("it"),
        ch.qos.logback.classic.Level.INFO,
        new Numbered(producer, number).text(),
        null,
        null);
  }

  @ParameterizedTest
  @EnumSource
  void aSiftingAppenderMakesOneLogForEachValue(Side side) throws Exception {
    String nested =
        side.appender(
            "LOG-${user}",
            FILE,
            "<file>%s/${user}.log</file>".formatted(places.logDirectory()) + Xml.MESSAGES,
            places);
    try (Tiered logback = configured(SIFTING.formatted(nested), "SIFT")) {
      logInTurn(logback, "ann", "bob");
      logback.context().stop();
      assertThat(logback.errors()).isEmpty();
    }
    for (String user : List.of("ann", "bob")) {
      requireAll(LogFiles.linesOf(places.logDirectory().resolve(user + ".log")), 10, user);
    }
  }

  /** The name of the file lacks the value, a mistake of which Logback 1.5 says nothing. */
  @ParameterizedTest
  @EnumSource
  void aSiftingAppenderWithOneFileForAllValuesLosesNoLine(Side side) throws Exception {
    String nested = side.appender("LOG-${user}", FILE, file() + Xml.MESSAGES, places);
    try (Tiered logback = configured(SIFTING.formatted(nested), "SIFT")) {
      logInTurn(logback, "ann", "bob");
      if (side == Side.OURS) {
        logback.awaitWarning("Another appender ships to");
      }
      logback.context().stop();
      assertThat(logback.errors()).isEmpty();
    }
    try (Tiered last = configured(side, FILE, file() + Xml.MESSAGES)) {
      log(last, "last", 0, 10);
      last.context().stop(); // ships what the second of ours could only spool
    }
    requireAll(places.lines(), 10, "ann", "bob", "last");
  }

  private static void logInTurn(Tiered logback, String... users) {
    for (int i = 0; i < 10; i++) {
      for (String user : users) {
        logback.context().getMDCAdapter().put("user", user);
        log(logback, user, i, 1);
      }
    }
    logback.context().getMDCAdapter().clear();
  }

  @ParameterizedTest
  @EnumSource
  void theTimeOfTheStartMayStandInTheNameOfTheFile(Side side) throws Exception {
    String stamped =
        "<timestamp key=\"start\" datePattern=\"yyyyMMdd\"/>"
            + side.appender(
                "LOG",
                FILE,
                "<file>%s/app-${start}.log</file>".formatted(places.logDirectory()) + Xml.MESSAGES,
                places);
    try (Tiered logback = configured(stamped, "LOG")) {
      log(logback, "p", 0, 10);
      logback.context().stop();
      assertThat(logback.errors()).isEmpty();
    }
    List<Path> files = LogFiles.of(places.log()).paths();
    assertThat(files).singleElement().asString().matches(".*/app-\\d{8}\\.log");
    requireAll(LogFiles.linesOf(files.get(0)), 10, "p");
  }
}
