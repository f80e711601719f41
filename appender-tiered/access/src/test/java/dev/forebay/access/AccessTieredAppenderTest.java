package dev.forebay.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.access.common.PatternLayoutEncoder;
import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.spi.FilterReply;
import dev.forebay.host.Await;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An access log from the request to the file. */
class AccessTieredAppenderTest {

  private static final String ALL =
      "%a %b %h %H %i{x} %I %l %m %q %r %s %S %u %U %v %localPort %reqAttribute{x}"
          + " %reqCookie{x} %responseHeader{x} %reqParameter{x} %requestContent"
          + " %responseContent %T";

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;

  private static String pattern(String pattern) {
    return "<encoder><pattern>%s</pattern></encoder>".formatted(pattern);
  }

  private static void requireLaw(LedgerSnapshot account) {
    assertThat(account.offered())
        .isEqualTo(account.delivered() + account.dropped() + account.inFlight());
  }

  /** Neither in what it says nor in who said it: the pool has one request only. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachLineIsThatOfItsOwnRequestWhoeverEncodesIt(boolean callersEncode) throws Exception {
    String encoding = "<callerEncoding>%s</callerEncoding>".formatted(callersEncode);
    try (AccessLog log =
        AccessLog.tiered(directory, pattern("%I %r %u %S %fullRequest|%n") + encoding)) {
      for (int i = 0; i < 1000; i++) {
        log.request(i % 3 == 0 ? "" : "n" + i);
      }
      assertThat(log.tiered().flush(LONG)).isTrue();
      assertThat(log.problems()).isEmpty();
      assertThat(log.tiered().snapshot().delivered()).isEqualTo(1000);
    }
    String[] records = Files.readString(directory.resolve("access.log")).split("\\|\n");
    assertThat(records).hasSize(1000);
    for (int i = 0; i < 1000; i++) {
      String about = i % 3 == 0 ? "" : "n" + i;
      String query = about.isEmpty() ? "" : "?" + about;
      String user = about.isEmpty() ? "- null" : "u%s s%1$s".formatted(about);
      String headers = about.isEmpty() ? "" : "x: %s\na: %1$s\n".formatted(about);
      String first = "POST /%s%s HTTP/%1$s".formatted(about, query);
      assertThat(records[i])
          .isEqualTo("of %s %s %s %2$s\n%s\nx=%1$s&a=%1$s".formatted(about, first, user, headers));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"common", "combined", ALL + "%n", "%fullRequest%fullResponse"})
  void theLineIsTheSameAsOfLogbacksOwnAppender(String pattern) throws Exception {
    Path theirs = directory.resolve("theirs.log");
    try (AccessLog log =
        AccessLog.configured(
            "<appender name=\"L\" class=\"%s\"><file>%s</file>%s</appender>"
                    .formatted(FileAppender.class.getName(), theirs, pattern(pattern))
                + "<appender name=\"A\" class=\"%s\"><file>%s/access.log</file>%s%s</appender>"
                    .formatted(
                        AccessTieredAppender.class.getName(),
                        directory,
                        "<spoolDirectory>" + directory + "</spoolDirectory>",
                        pattern(pattern))
                + "<appender-ref ref=\"A\"/><appender-ref ref=\"L\"/>")) {
      Stream.of("one", "", "two").forEach(log::request);
    }
    assertThat(directory.resolve("access.log")).hasSameTextualContentAs(theirs).isNotEmptyFile();
  }

  /** That of the second request is empty, and its length unknown. */
  @Test
  void monthsAreOfTheDefaultLocaleUnlessThePatternNamesOneAndNoLengthIsADash() throws Exception {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.FRANCE);
    try {
      theLineIsTheSameAsOfLogbacksOwnAppender("%t{MMM, UTC} %t{MMM, UTC, en} %b%n");
    } finally {
      Locale.setDefault(before);
    }
    assertThat(AccessLog.lines(directory))
        .satisfiesExactly(
            line -> assertThat(line).matches(months(Locale.FRANCE) + months(Locale.ENGLISH) + "3"),
            line -> assertThat(line).matches(months(Locale.FRANCE) + months(Locale.ENGLISH) + "-"),
            line -> assertThat(line).matches(months(Locale.FRANCE) + months(Locale.ENGLISH) + "3"));
  }

  private static String months(Locale locale) {
    return Stream.of(Month.values())
        .map(month -> Pattern.quote(month.getDisplayName(TextStyle.SHORT, locale)))
        .collect(Collectors.joining("|", "(", ") "));
  }

  @Test
  void aConfigurationOfARollingFileAppenderNeedsAnotherClassNameOnly() throws Exception {
    String xml =
        """
        <appender name="A" class="%s">
          <file>%s/access.log</file>
          <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
            <fileNamePattern>%2$s/access.%%i.log</fileNamePattern><maxIndex>20</maxIndex>
          </rollingPolicy>
          <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
            <maxFileSize>4KB</maxFileSize><checkIncrement>1 milliseconds</checkIncrement>
          </triggeringPolicy>
          <encoder><pattern>%%r%%n</pattern></encoder>
          <immediateFlush>true</immediateFlush>
        </appender>
        <appender-ref ref="A"/>
        """
            .formatted(RollingFileAppender.class.getName(), directory);
    String changed =
        xml.replace(RollingFileAppender.class.getName(), AccessTieredAppender.class.getName());
    try (AccessLog log = AccessLog.configured(changed)) {
      for (int i = 0; i < 1000; i++) {
        log.request("n" + i);
        assertThat(i % 200 != 0 || log.tiered().flush(LONG)).isTrue(); // it rolls between batches
      }
      assertThat(log.problems())
          .singleElement()
          .satisfies(text -> assertThat(text).contains("<immediateFlush> has no meaning here"));
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> file.toString().endsWith(".log")).toList();
    }
    List<String> lines = new ArrayList<>();
    for (Path file : files) {
      lines.addAll(Files.readAllLines(file));
    }
    assertThat(files).hasSizeGreaterThan(2);
    assertThat(lines)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 1000).mapToObj("POST /n%1$d?n%1$d HTTP/n%1$d"::formatted).toList());
  }

  /** Tomcat's valve stops what is registered with it, and not the appenders attached to it. */
  @Test
  void aContextThatIsResetStopsItAndItStartsAgain() throws Exception {
    AccessLog log = AccessLog.tiered(directory, pattern("%r%n"));
    AccessTieredAppender appender = log.tiered();
    log.request("one");
    log.context.reset();
    assertThat(appender.isStarted()).isFalse();
    assertThat(AccessLog.lines(directory)).containsExactly("POST /one?one HTTP/one");
    log.request("two");
    assertThat(appender.snapshot().dropped(DropReason.STOPPED)).isEqualTo(1);
    appender.start();
    log.request("three");
    log.close();
    requireLaw(appender.snapshot());
    assertThat(AccessLog.lines(directory)).hasSize(3).contains("POST /three?three HTTP/three");
  }

  /** Here of one that was stopped. */
  @Test
  void aReportOfDropsIsALineInTheFormatOfTheLog() throws Exception {
    AccessLog log = AccessLog.tiered(directory, pattern("combined"));
    AccessTieredAppender appender = log.tiered();
    appender.stop();
    log.request("one");
    log.request("two");
    appender.start();
    log.request("three");
    assertThat(appender.flush(LONG)).isTrue();
    log.close();

    assertThat(AccessLog.lines(directory))
        .hasSize(2)
        .allMatch(
            line -> line.matches("\\S+ - \\S+ \\[.*] \"[^\"]*\" \\d+ [\\d-]+ \"\\S+\" \"\\S+\""))
        .anyMatch(
            line ->
                line.matches(
                    "- - - .* \"Forebay: 2 events dropped .*STOPPED 2.*\" 0 - \"-\" \"-\""));
    requireLaw(appender.snapshot());
  }

  /** The encoder that most use for JSON. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void linesAndReportsCanBeJson(boolean callersEncode) throws Exception {
    String encoder =
        "<encoder class=\"net.logstash.logback.encoder.LogstashAccessEncoder\"/>"
            + "<callerEncoding>%s</callerEncoding>".formatted(callersEncode);
    AccessLog log = AccessLog.tiered(directory, encoder);
    log.request("before");
    log.tiered().stop();
    log.request("refused");
    log.tiered().start();
    log.close();
    assertThat(log.problems()).isEmpty();
    assertThat(AccessLog.lines(directory))
        .hasSize(2)
        .allMatch(line -> line.matches("\\{\"@timestamp\":.*\"status_code\":\\d+.*}"))
        .anyMatch(line -> line.contains("\"requested_uri\":\"/before\""))
        .anyMatch(line -> line.contains("\"requested_url\":\"Forebay: 1 event dropped"));
  }

  /** In JMX under the name of its context; a level is none of its business. */
  @Test
  void itIsSteeredLikeAnyOtherButHasNoLevels() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try (AccessLog log = AccessLog.tiered(directory, pattern("%r%n"))) {
      ObjectName all = new ObjectName("dev.forebay:type=Appender,context=access,name=A,*");
      Await.until("it is in JMX", () -> !server.queryNames(all, null).isEmpty());
      ControlMXBean bean =
          JMX.newMXBeanProxy(
              server, server.queryNames(all, null).iterator().next(), ControlMXBean.class);
      log.request("one");
      assertThat(bean.flush(30_000)).isTrue();
      assertThat(bean.getAccount()).containsEntry("delivered", 1L);
      assertThat(bean.getLevels()).isEmpty();
      assertThatThrownBy(() -> bean.setLevel("ROOT", "DEBUG", 1))
          .hasStackTraceContaining("appender [A] is of access events, which have no level");
    }
  }

  @Test
  void aFilterIsAskedOnTheThreadOfTheRequestAndItsFailureIsCounted() throws Exception {
    Filter<IAccessEvent> filter =
        new Filter<>() {
          @Override
          public FilterReply decide(IAccessEvent event) {
            if (event.getRequestURI().equals("/broken")) {
              throw new IllegalStateException("no filter");
            }
            return event.getRequestURI().equals("/health") ? FilterReply.DENY : FilterReply.NEUTRAL;
          }
        };
    try (AccessLog log = AccessLog.tiered(directory, pattern("%U%n"))) {
      log.tiered().addFilter(filter);
      Stream.of("one", "health", "broken", "two").forEach(log::request);
      assertThat(log.tiered().flush(LONG)).isTrue();
      LedgerSnapshot account = log.tiered().snapshot();
      assertThat(account.offered()).isGreaterThanOrEqualTo(3);
      assertThat(account.dropped(DropReason.PREPARE_FAILED)).isEqualTo(1);
      requireLaw(account);
    }
    assertThat(AccessLog.lines(directory)).contains("/one", "/two").doesNotContain("/health");
  }

  public static final class TestEncoder extends PatternLayoutEncoder {

    static final Queue<String> THREADS = new ConcurrentLinkedQueue<>();

    private boolean stateful;

    public void setStateful(boolean isStateful) {
      stateful = isStateful;
    }

    /** Overrides a method that Logback has from 1.6 on. */
    public boolean isStateful() {
      return stateful;
    }

    @Override
    public byte[] encode(IAccessEvent event) {
      THREADS.add(Thread.currentThread().getName());
      switch (event.getRequestURI()) {
        case "/broken" -> throw new IllegalStateException("no encoder");
        case "/missing" -> throw new NoClassDefFoundError("Json");
        default -> {}
      }
      return event.getRequestURI().equals("/silent") ? null : super.encode(event);
    }
  }

  private static String testEncoder(boolean stateful) {
    return "<encoder class=\"%s\"><pattern>%%U%%n</pattern><stateful>%s</stateful></encoder>"
        .formatted(TestEncoder.class.getName(), stateful);
  }

  @Test
  void anEncoderThatThrowsLosesThatLineOnlyAndOneThatWritesNothingNone() throws Exception {
    AccessTieredAppender appender;
    try (AccessLog log = AccessLog.tiered(directory, testEncoder(false))) {
      appender = log.tiered();
      Stream.of("one", "broken", "silent", "missing", "two").forEach(log::request);
      assertThat(appender.flush(LONG)).isTrue();
      assertThat(appender.snapshot().dropped(DropReason.ENCODE_FAILED)).isEqualTo(2);
      requireLaw(appender.snapshot());
    }
    assertThat(AccessLog.lines(directory).stream().filter(line -> !line.contains("Forebay")))
        .containsExactly("/one", "/two");
  }

  /** In this Logback. */
  static boolean encodersMayBeStateful() {
    return Stream.of(Encoder.class.getMethods()).anyMatch(m -> m.getName().equals("isStateful"));
  }

  @Test
  @EnabledIf("encodersMayBeStateful")
  void aStatefulEncoderIsCalledByOneThreadOnly() throws Exception {
    TestEncoder.THREADS.clear();
    try (AccessLog log = AccessLog.tiered(directory, testEncoder(true))) {
      Stream.of("one", "two").forEach(log::request);
      assertThat(log.tiered().flush(LONG)).isTrue();
    }
    assertThat(AccessLog.lines(directory)).containsExactly("/one", "/two");
    assertThat(TestEncoder.THREADS).allMatch(name -> name.startsWith("forebay-flusher-A"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<urgentLevel>WARN</urgentLevel>",
        "<discardingThreshold>5</discardingThreshold>",
        "<includeCallerData>true</includeCallerData>",
        "<durability>ERROR</durability>",
        "<bufferSize>8KB</bufferSize>"
      })
  void whatHasNoMeaningHereIsSaidAndItStarts(String element) throws Exception {
    String name = element.substring(0, element.indexOf('>') + 1);
    try (AccessLog log = AccessLog.tiered(directory, pattern("%r%n") + element)) {
      assertThat(log.problems())
          .singleElement()
          .satisfies(text -> assertThat(text).contains(name + " has no meaning here"));
      log.request("one");
    }
    assertThat(AccessLog.lines(directory)).hasSize(1);
  }

  @Test
  void whatIsWrongIsSaidAndRequestsAreRefusedCounted() throws Exception {
    try (AccessLog log =
        AccessLog.with(AccessTieredAppender.class, "<prudent>true</prudent><fsync>x</fsync>")) {
      assertThat(log.problems())
          .anyMatch(text -> text.contains("<encoder> is missing"))
          .anyMatch(text -> text.contains("<prudent>"))
          .anyMatch(text -> text.contains("<fsync> is \"x\""));
      AccessTieredAppender appender = log.tiered();
      assertThat(appender.isStarted()).isFalse();
      appender.doAppend(log.request.next("one"));
      assertThat(appender.snapshot().dropped(DropReason.STOPPED)).isEqualTo(1);
    }
  }
}
