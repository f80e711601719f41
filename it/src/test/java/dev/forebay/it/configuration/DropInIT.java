package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Configurations of Logback's file appenders with nothing changed but the class: the same events
 * give the same files, byte for byte once unpacked.
 */
class DropInIT {

  private static final String FILE_APPENDER = "ch.qos.logback.core.FileAppender";
  private static final String ROLLING = "ch.qos.logback.core.rolling.RollingFileAppender";
  private static final String TIERED = "dev.forebay.tiered.TieredAppender";
  private static final int COUNT = 300;

  /** Of files that are being compressed: Logback's original, and our link to it. */
  private static final String UNDER_WAY = ".*\\.(tmp|kept)";

  private static final String FILE = "<file>DIR/app.log</file>";
  private static final String PATTERN =
      "<encoder><pattern>%d %-5level [%t] %X{user} %logger{20} - %msg%n%ex{3}</pattern></encoder>";

  @AutoClose private final Places places = Places.create();

  private static final String SIZED =
      """
      <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
        <fileNamePattern>DIR/old/app-%d{yyyy-MM-dd}.%i.log</fileNamePattern>
        <maxFileSize>8KB</maxFileSize>
      </rollingPolicy>
      """;

  private static final String FIXED_WINDOW =
      """
      <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
        <fileNamePattern>DIR/app.%i.log.zip</fileNamePattern>
        <minIndex>1</minIndex><maxIndex>3</maxIndex>
      </rollingPolicy>
      <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
        <maxFileSize>8KB</maxFileSize>
        <checkIncrement>0 milliseconds</checkIncrement>
      </triggeringPolicy>
      """;

  private static final String BY_MONTH =
      """
      <rollingPolicy class="ch.qos.logback.core.rolling.TimeBasedRollingPolicy">
        <fileNamePattern>DIR/app-%d{yyyy-MM}.log.gz</fileNamePattern><maxHistory>3</maxHistory>
      </rollingPolicy>
      """;

  private static final String WARN =
      "<filter class=\"ch.qos.logback.classic.filter.ThresholdFilter\"><level>WARN</level></filter>";

  static Stream<String> configurations() {
    return Stream.of(
        FILE + PATTERN,
        FILE + "<append>false</append>" + PATTERN,
        FILE + PATTERN.replace("<pattern>", "<charset>UTF-16LE</charset><pattern>"),
        SIZED + PATTERN,
        FILE
            + FIXED_WINDOW
            + PATTERN.replace(
                "<pattern>", "<outputPatternAsHeader>true</outputPatternAsHeader><pattern>"),
        FILE + WARN + BY_MONTH + PATTERN,
        FILE
            + SIZED.replace(".log<", ".log.zip<")
            + "<encoder class=\"net.logstash.logback.encoder.LogstashEncoder\"/>");
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void givesTheSameFilesAsLogback(String inner) throws Exception {
    String theirs = inner.contains("<rollingPolicy") ? ROLLING : FILE_APPENDER;
    List<ILoggingEvent> events = events();
    Map<String, String> expected = run(theirs, inner, places.directory("theirs"), "", events);
    Map<String, String> actual =
        run(
            TIERED,
            inner,
            places.directory("ours"),
            "<spoolDirectory>%s</spoolDirectory><maxFlushTime>30 seconds</maxFlushTime>"
                .formatted(places.spool()),
            events);

    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    for (Map.Entry<String, String> file : expected.entrySet()) {
      assertThat(actual.get(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
    String all = String.join("", actual.values()).replace("\0", ""); // of UTF-16
    assertThat(all).as("the last event").contains("event [" + COUNT + "]");
  }

  /** Two starts on the same directory, in which a file is already. */
  private static Map<String, String> run(
      String type, String inner, Path directory, String own, List<ILoggingEvent> events)
      throws Exception {
    Files.writeString(directory.resolve("app.log"), "from before\n");
    String xml =
        Xml.configuration((inner + own).replace("DIR", directory.toString())).replace(TIERED, type);
    for (List<ILoggingEvent> part :
        List.of(events.subList(0, COUNT / 2), events.subList(COUNT / 2, events.size()))) {
      try (Tiered logback = Tiered.configured(xml)) {
        Appender<ILoggingEvent> appender =
            logback.context().getLogger(Logger.ROOT_LOGGER_NAME).getAppender("LOG");
        part.forEach(appender::doAppend);
        logback.context().stop();
        assertThat(logback.messages(Status.ERROR)).as(type).isEmpty();
        assertThat(logback.messages(Status.WARN)).as(type).isEmpty();
      }
    }
    // At stop Logback waits for the last of its compressions only.
    Await.until(
        "compressed",
        () ->
            FileTree.files(directory).stream()
                .noneMatch(path -> path.toString().matches(UNDER_WAY)));
    return files(directory);
  }

  /** The same events for both, so that even their time stamps agree. */
  private static List<ILoggingEvent> events() {
    LoggerContext context = new LoggerContext();
    context.setName("it");
    Logger logger = context.getLogger("dev.forebay.it.Some.Logger");
    List<ILoggingEvent> events = new ArrayList<>();
    Level[] levels = {Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR};
    for (int i = 1; i <= COUNT; i++) {
      // Not the last: a file that is full is rolled here at once, by Logback with the next event.
      boolean throwing = i % 50 == 0 && i < COUNT;
      Throwable thrown =
          throwing ? new IllegalStateException("planned " + i, new IOException("cause")) : null;
      LoggingEvent event =
          new LoggingEvent(
              "fqcn",
              logger,
              i == COUNT ? Level.ERROR : levels[i % levels.length],
              "event [{}] of {} with ünïcödé \u20ac and \"quotes\"",
              thrown,
              new Object[] {i, "x".repeat(i % 70)});
      event.setThreadName("main-" + i % 3);
      event.setTimeStamp(1_700_000_000_000L + i);
      event.setMDCPropertyMap(Map.of("user", "u" + i % 7));
      events.add(event);
    }
    return events;
  }

  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Path file : FileTree.files(directory)) {
      files.put(
          directory.relativize(file).toString(),
          new String(LogFiles.content(file), StandardCharsets.ISO_8859_1));
    }
    return files;
  }
}
