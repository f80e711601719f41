package dev.forebay.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AsyncAppenderBase;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.status.Status;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.forebay.LimitOptions;
import dev.forebay.host.Await;
import dev.forebay.host.Property;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import io.dropwizard.configuration.DefaultConfigurationFactoryFactory;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.logging.common.BootstrapLogging;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import io.dropwizard.logging.common.async.AsyncAppenderFactory;
import io.dropwizard.logging.common.async.AsyncLoggingEventAppenderFactory;
import io.dropwizard.logging.common.filter.ThresholdLevelFilterFactory;
import io.dropwizard.logging.common.layout.DropwizardLayoutFactory;
import io.dropwizard.validation.BaseValidator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What Dropwizard's YAML makes of a {@code type: forebay}. */
class ForebayAppenderFactoryTest {

  /** Elements, synonyms, and what has no meaning here. */
  private static final Set<String> NO_PROPERTIES =
      Set.of(
          "flightRecorder limit redact listener rollingPolicy triggeringPolicy shutdownGracePeriod immediateFlush bufferSize target left destination withJansi"
              .split(" "));

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private final LoggerContext context = new LoggerContext();

  @BeforeAll
  static void keepHibernateQuiet() {
    BootstrapLogging.bootstrap();
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private DefaultLoggingFactory parsed(String... lines) throws Exception {
    String yaml =
        "appenders:\n  - type: forebay\n    currentLogFilename: %s\n".formatted(log())
            + Stream.of(lines)
                .flatMap(String::lines)
                .map(line -> "    " + line + "\n")
                .collect(Collectors.joining());
    return new DefaultConfigurationFactoryFactory<DefaultLoggingFactory>()
        .create(DefaultLoggingFactory.class, BaseValidator.newValidator(), mapper(), "dw")
        .build(path -> new ByteArrayInputStream(path.getBytes(StandardCharsets.UTF_8)), yaml);
  }

  private static ObjectMapper mapper() {
    return Jackson.newObjectMapper();
  }

  private Path log() {
    return directory.resolve("app.log");
  }

  private TieredAppender appender(String... lines) throws Exception {
    return appender(new AsyncLoggingEventAppenderFactory(), lines);
  }

  private TieredAppender appender(AsyncAppenderFactory<ILoggingEvent> async, String... lines)
      throws Exception {
    Appender<ILoggingEvent> made =
        parsed(lines)
            .getAppenders()
            .get(0)
            .build(
                context,
                "app",
                new DropwizardLayoutFactory(),
                new ThresholdLevelFilterFactory(),
                async);
    context.getLogger("ROOT").addAppender(made);
    return (TieredAppender) made;
  }

  /** A field without a setter would be read and have no effect. */
  @ParameterizedTest
  @CsvSource({
    "dev.forebay.dropwizard.ForebayAppenderFactory, dev.forebay.tiered.TieredAppender",
    "dev.forebay.dropwizard.FlightRecorder, dev.forebay.tiered.FlightRecorderOptions",
    "dev.forebay.dropwizard.Limit, dev.forebay.LimitOptions"
  })
  void everyFieldIsAPropertyOfTheAppender(Class<?> yaml, Class<?> bean) {
    assertThat(Stream.of(yaml.getDeclaredFields()).map(Field::getName))
        .isNotEmpty()
        .isSubsetOf(Property.of(bean).stream().map(Property::name).toList());
  }

  private static List<Object> options(TieredAppender of) {
    return List.of(of.pipelineOptions(), of.tieredOptions());
  }

  private TieredAppender configured(String... lines) throws Exception {
    return (TieredAppender)
        ((ForebayAppenderFactory) (Object) parsed(lines).getAppenders().get(0)).appender(context);
  }

  static Stream<Arguments> properties() {
    return Stream.of(
            in("flightRecorder: {%s: %s}", FlightRecorderOptions.class),
            in("limit: {%s: %s}", LimitOptions.class),
            in("%s: %s", TieredAppender.class))
        .flatMap(each -> each);
  }

  private static Stream<Arguments> in(String yaml, Class<?> bean) {
    return Property.of(bean).stream()
        .filter(property -> !NO_PROPERTIES.contains(property.name()))
        .map(property -> Arguments.of(property, yaml, bean));
  }

  @ParameterizedTest
  @MethodSource("properties")
  void aPropertyMeansTheSameAsInXml(Property property, String yaml, Class<?> bean)
      throws Exception {
    TieredAppender expected = configured("archive: false");
    Object of = bean == TieredAppender.class ? expected : bean.getConstructor().newInstance();
    if (of instanceof FlightRecorderOptions recorder) {
      expected.setFlightRecorder(recorder);
    } else if (of instanceof LimitOptions limit) {
      expected.addLimit(limit);
    }
    for (String text : property.examples()) {
      property.set(of, text);
      String line = yaml.formatted(property.name(), text.replace("MB", "MiB"));
      assertThat(options(configured("archive: false", line)))
          .usingRecursiveComparison()
          .isEqualTo(options(expected));
    }
  }

  @Test
  void rulesOfRedactionAreOneValueOrAList() throws Exception {
    TieredAppender actual =
        appender("archive: false", "redact: {key: [password, '*token'], pattern: 'jwt, email'}");
    assertThat(actual.pipelineOptions())
        .extracting("redact.keys", "redact.patterns")
        .containsExactly(Set.of("password", "*token"), List.of("jwt", "email"));
    assertThatThrownBy(() -> appender("archive: false", "redact: {pattern: mail}"))
        .hasMessageContaining("<pattern> of <redact> is \"mail\"");
  }

  @Test
  void oneOfSeveralLimitsIsForItsLogger() throws Exception {
    context.setMDCAdapter(new LogbackMDCAdapter());
    String limits = "limit: [{perSecond: 1000000}, {logger: a, perSecond: 1}]";
    TieredAppender actual = appender("archive: false", limits);
    IntStream.range(0, 10_000).forEach(i -> context.getLogger("a.b").info("over and over"));
    assertThat(actual.snapshot().dropped(DropReason.LIMITED)).isPositive();
  }

  @Test
  void nothingAfterAColonIsTheDefault() throws Exception {
    TieredAppender actual =
        appender("archive: false", "fsync:", "spoolSize:", "flightRecorder:", "limit:");
    TieredAppender expected = new TieredAppender();
    expected.setFlightRecorder(new FlightRecorderOptions());
    expected.setCallerEncoding("true");
    assertThat(options(actual)).usingRecursiveComparison().isEqualTo(options(expected));
  }

  @Test
  void linesHaveDropwizardsFormatThresholdAndFiltersAndNoQueueInFrontOfThem() throws Exception {
    TieredAppender appender =
        appender(
            "archive: false",
            "threshold: WARN",
            "timeZone: UTC",
            "logFormat: '%dwTimeZone %-5level %logger - %msg%n'",
            "queueSize: 1000");
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.getLogger("x").info("too low");
    context.getLogger("x").warn("taken");
    context.stop();
    assertThat(appender.getName()).isEqualTo("app.log");
    assertThat(Files.readAllLines(log())).containsExactly("UTC WARN  x - taken");
    assertThat(appender.snapshot().delivered()).isEqualTo(1);
    assertThat(appender.snapshot().offered()).as("a filter's are not counted").isEqualTo(1);
    Await.said();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .allMatch(status -> status.getEffectiveLevel() == Status.INFO);
  }

  @ParameterizedTest
  @CsvSource({"app-%d.log, ''", "app-%d-%i.log, 1MiB", "app-%i.log, 1MiB"})
  void rollsAsAFileOfDropwizardDoes(String pattern, String size) throws Exception {
    TieredAppender appender =
        appender(
            "archivedLogFilenamePattern: '%s'".formatted(directory.resolve(pattern)),
            "maxFileSize: " + size,
            "archivedFileCount: 3");
    if (!pattern.contains("%d")) {
      assertThat(appender.getRollingPolicy()).isInstanceOf(FixedWindowRollingPolicy.class);
      assertThat(appender)
          .extracting("parts.triggeringPolicy")
          .isInstanceOf(SizeBasedTriggeringPolicy.class);
    } else {
      assertThat(appender.getRollingPolicy())
          .isInstanceOf(
              size.isEmpty() ? TimeBasedRollingPolicy.class : SizeAndTimeBasedRollingPolicy.class);
      assertThat(appender)
          .extracting("parts.triggeringPolicy")
          .isSameAs(appender.getRollingPolicy());
    }
    assertThat(appender.getRollingPolicy().getActiveFileName()).isEqualTo(log().toString());
    assertThat(appender).extracting("rollingPolicy.parent").isSameAs(appender);
  }

  @Test
  void aMisspeltPropertyIsRefusedWithTheNearestOne() {
    assertThatThrownBy(() -> parsed("archive: false", "spoolSise: 1GiB"))
        .hasMessageContaining("appenders.[0].spoolSise\n    Did you mean?:\n      - spoolSize");
    assertThatThrownBy(() -> parsed("archive: false", "flightRecorder: {max-dumps: 3}"))
        .hasMessageContaining("flightRecorder.max-dumps\n    Did you mean?:\n      - maxDumps");
  }

  @Test
  void whatDropsUncountedIsRefused() {
    assertThatThrownBy(() -> parsed("archive: false", "messageRate: 10ms"))
        .hasMessageContaining("messageRate drops lines uncounted: remove it");
  }

  @Test
  void aValueOutOfRangeStopsTheStartAndSaysWhatToWrite() {
    assertThatThrownBy(
            () -> appender("archive: false", "fsync: often", "maxFlushTime: 2h", "limit: {}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("<fsync> is \"often\": must be")
        .hasMessageContaining("<limit>: no <perSecond>")
        .hasMessageContaining("<maxFlushTime> is 7200000 ms: must be between");
  }

  @Test
  void theRequestLogIsRefused() {
    assertThatThrownBy(() -> appender(AsyncAppenderBase::new, "archive: false"))
        .hasMessageContaining("for the requestLog write type: file");
    assertThat(log()).doesNotExist();
  }

  @Test
  void warningsArePrintedSinceDropwizardDoesNot() throws Exception {
    PrintStream before = System.err;
    BlockingQueue<String> printed = new LinkedBlockingQueue<>();
    try {
      System.setErr(printing(printed::add));
      TieredAppender unused = appender("archive: false", "neverBlock: false");
      assertThat(printed.poll(20, TimeUnit.SECONDS))
          .contains("WARN", "[app.log]: <neverBlock> false has no meaning here");
    } finally {
      System.setErr(before);
    }
  }

  /** A pipe whose reader has stopped reading. */
  @Test
  void aStandardErrorThatBlocksHoldsUpNoLine() throws Exception {
    context.setMDCAdapter(new LogbackMDCAdapter());
    TieredAppender appender = appender("archive: false");
    context.getLogger("x").info("first");
    assertThat(appender.flush(PATIENCE)).isTrue();
    PrintStream before = System.err;
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch readAgain = new CountDownLatch(1);
    try {
      System.setErr(
          printing(
              text -> {
                blocked.countDown();
                readAgain.await();
              }));
      Files.delete(log());
      context.getLogger("x").info("second");
      assertThat(blocked.await(20, TimeUnit.SECONDS)).as("that it is gone is a warning").isTrue();
      context.getLogger("x").info("third");
      assertThat(appender.flush(PATIENCE)).isTrue();
      assertThat(log()).content().contains("third");
    } finally {
      readAgain.countDown();
      System.setErr(before);
    }
  }

  private static PrintStream printing(Printer printer) {
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int one) {}

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
            try {
              if (!text.isBlank()) {
                printer.print(text);
              }
            } catch (InterruptedException e) {
              throw new InterruptedIOException();
            }
          }
        };
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }

  private interface Printer {
    void print(String text) throws InterruptedException;
  }
}
