package dev.forebay.tiered;

import static dev.forebay.tiered.Joran.requireLaw;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static net.logstash.logback.argument.StructuredArguments.entries;
import static net.logstash.logback.argument.StructuredArguments.kv;
import static net.logstash.logback.argument.StructuredArguments.value;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.forebay.ConfigFindings;
import dev.forebay.RedactOptions;
import dev.forebay.host.Await;
import dev.forebay.host.DumpFiles;
import dev.forebay.host.Secrets;
import dev.forebay.redact.Redactor;
import dev.forebay.tiered.disk.FaultyDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import net.logstash.logback.marker.Markers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MarkerFactory;

/** No secret is in the spool, the log or a dump, wherever an event has it. */
class RedactionTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static final String RULES =
      """
      <redact>
        <key>*password*</key><key>*token</key>
        <pattern>bearer, basic, jwt, cloud-key, email, iban, card, ipv4, ipv6</pattern>
      </redact>
      """;

  private static final String PATTERN =
      "%d [%t] %-5level %logger %marker %X %kvp - %.-2000msg%n%ex";

  private static final String RECORDER =
      "<flightRecorder><after>0</after><dumpOn>OFF</dumpOn><key>user</key></flightRecorder>";

  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final List<String> secrets = new ArrayList<>();
  private Path log;

  @AfterEach
  void stop() {
    context.stop();
  }

  private static String layout(String charset) {
    return "<encoder><charset>%s</charset><pattern>%s</pattern></encoder>"
        .formatted(charset, PATTERN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTF-8",
        "ISO-8859-1",
        "UTF-16",
        "UTF-32LE",
        "windows-1252",
        "ch.qos.logback.classic.encoder.JsonEncoder",
        "net.logstash.logback.encoder.LogstashEncoder",
      })
  void noSecretIsInAnyFile(String encoder) throws Exception {
    boolean isJson = encoder.contains("Json") || encoder.contains("Logstash");
    String element = isJson ? "<encoder class=\"%s\"/>".formatted(encoder) : layout(encoder);
    assertThat(found(element + RULES)).isEmpty();
  }

  @Test
  void noSecretIsInAFileIfCallsEncode() throws Exception {
    assertThat(found(layout("UTF-8") + RULES + "<callerEncoding>always</callerEncoding>"))
        .isEmpty();
  }

  /** Of a character that has another byte in each. */
  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16", "windows-1251", "KOI8-R", "IBM1025"})
  void aRegularExpressionIsThatOfTheText(String charset) throws Exception {
    log = directory.resolve("app.log");
    Joran.tiered(
        context,
        "<file>%s</file><spoolDirectory>%s</spoolDirectory><encoder><charset>%s</charset><pattern>%%msg%%n</pattern></encoder><redact><regex>%s=\\w+|\\d</regex></redact>"
            .formatted(log, directory, charset, "\u043f"));
    context.getLogger("a").info("\u043f=secret 1 x");
    context.stop();
    assertThat(Files.readString(log, Charset.forName(charset))).isEqualTo("*** *** x\n");
  }

  /** Without rules all of them are there: else this test would find none that is left. */
  @Test
  void whatIsNotRedactedIsFound() throws Exception {
    assertThat(found("<encoder class=\"net.logstash.logback.encoder.LogstashEncoder\"/>"))
        .hasSizeGreaterThan(secrets.size() * 9 / 10);
  }

  /** As Kafka's key, its logger's name and all else that a destination keeps beside the line. */
  @Test
  void noSecretIsInAttributes() throws Exception {
    DestinationOptions topic =
        (DestinationOptions)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DestinationOptions.class},
                (proxy, method, arguments) -> allOf((ILoggingEvent) arguments[0]).getBytes(UTF_8));
    RedactOptions rules = new RedactOptions();
    rules.addKey("*password*");
    rules.addPattern(RedactOptions.PATTERNS);
    Redactor redactor = rules.validate(false, new ConfigFindings());
    Function<ILoggingEvent, byte[]> attributes = TieredStart.attributes(topic, redactor);
    for (String[] each : new Secrets(new Random(3)).all().values()) {
      LoggingEvent event =
          new LoggingEvent(
              "",
              context.getLogger("logger " + each[0]),
              Level.INFO,
              "message {}",
              new IOException(each[0]),
              new Object[] {each[0]});
      event.setThreadName("thread " + each[0]);
      event.setMDCPropertyMap(Map.of("user", each[0], "password", each[1]));
      assertThat(new String(attributes.apply(event), UTF_8))
          .contains("***")
          .doesNotContain(each[1]);
    }
    assertThat(redactor.counts()).as("the line counts").doesNotContainKey("email");
  }

  private static String allOf(ILoggingEvent event) {
    return String.join(
        " ",
        event.getLoggerName(),
        event.getThreadName(),
        event.getFormattedMessage(),
        event.getThrowableProxy().getMessage(),
        event.getMDCPropertyMap().toString());
  }

  /** Those in the files of an appender, while the events are in the spool and when it has ended. */
  private List<String> found(String elements) throws Exception {
    log = Files.createDirectories(directory.resolve("log")).resolve("app.log");
    Path spools = Files.createDirectories(directory.resolve("spools"));
    FaultyDisk disk = Joran.failing(path -> path.endsWith("app.log"), FaultyDisk.Op.WRITE);
    TieredAppender appender =
        Joran.tiered(
            context,
            disk,
            "<file>%s</file><spoolDirectory>%s</spoolDirectory>%s%s"
                .formatted(log, spools, RECORDER, elements));
    assertThat(appender.isStarted()).as("%s", Joran.problems(context)).isTrue();
    Random random = new Random(elements.hashCode());
    for (int i = 0; i < 3; i++) {
      for (String[] each : new Secrets(random).all().values()) {
        logEverywhere(each[0]);
        secrets.add(each[1]);
      }
      String secret = new Secrets(random).text(20);
      logByKey(secret);
      secrets.add(secret);
    }
    Await.until("logged", () -> appender.snapshot().inFlight() > 0);
    assertThat(appender.dump("test")).isTrue();
    Await.until("dumped", () -> !DumpFiles.of(log).isEmpty());
    List<String> found = new ArrayList<>(left());
    disk.heal();
    assertThat(appender.flush(LONG)).isTrue();
    found.addAll(left());
    requireLaw(appender.snapshot());
    assertThat(appender.snapshot().dropped()).isZero();
    context.stop();
    found.addAll(left());
    assertThat(Files.size(log)).isPositive();
    return found.stream().distinct().toList();
  }

  private void logEverywhere(String secret) throws Exception {
    Logger logger = context.getLogger("com.acme.Orders");
    logger.info("message " + secret + " end");
    logger.info("argument {}", secret);
    logger.info("two arguments {} {}", "a", List.of(secret, "b"));
    context.getMDCAdapter().put("user", secret);
    logger.info("MDC");
    context.getMDCAdapter().remove("user");
    logger.atInfo().addKeyValue("pair", secret).log("pair");
    logger.atInfo().addKeyValue("pair", Map.of("in", List.of(secret))).log("pair");
    IllegalStateException thrown =
        new IllegalStateException("thrown " + secret, new IOException("cause: " + secret));
    thrown.addSuppressed(new IllegalArgumentException(secret));
    logger.info("thrown", thrown);
    logger.info(MarkerFactory.getDetachedMarker("marker " + secret), "marker");
    logger.info("structured {}", kv("key", secret));
    logger.info(Markers.append("key", secret), "structured marker");
    Thread thread = new Thread(() -> logger.info("thread"), "thread " + secret);
    thread.start();
    thread.join();
    context.getLogger("logger " + secret).info("logger");
  }

  /** As a field. */
  public record User(String name, String password) {
    @Override
    public String toString() {
      return name;
    }
  }

  private void logByKey(String secret) {
    Logger logger = context.getLogger("com.acme.Orders");
    context.getMDCAdapter().put("db.PASSWORD", secret);
    logger.info("MDC");
    context.getMDCAdapter().remove("db.PASSWORD");
    logger.atInfo().addKeyValue("apiToken", secret).log("pair");
    logger.atInfo().addKeyValue("user", Map.of("a", Map.of("password", secret))).log("pair");
    logger.info("structured {}", kv("password", secret));
    logger.info("structured {}", value("password", secret));
    logger.info("structured {}", entries(Map.of("password", secret)));
    logger.info("structured {}", kv("user", Map.of("password", secret, "b", 1)));
    logger.info("structured {}", kv("user", new User("bob", secret)));
    logger.info("map {}", Map.of("token", secret));
    logger.info(Markers.append("password", secret), "marker");
    logger.info(Markers.append("a", 1).and(Markers.append("token", secret)), "markers");
    logger.info(Markers.appendEntries(Map.of("password", secret)), "marker");
    logger.info(Markers.appendFields(new User("bob", secret)), "marker");
    logger.info(Markers.appendRaw("raw", "{\"password\":\"" + secret + "\"}"), "marker");
  }

  /** Secrets that a file has, in any encoding and with any escapes. */
  private List<String> left() throws IOException {
    while (true) {
      try {
        return inFiles();
      } catch (NoSuchFileException | UncheckedIOException e) {
        // The appender renamed or removed one meanwhile: all of those that are there now.
      }
    }
  }

  private List<String> inFiles() throws IOException {
    List<String> left = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = new String(Files.readAllBytes(file), ISO_8859_1).replaceAll("[\0\\\\]", "");
        secrets.stream()
            .filter(text::contains)
            .map(secret -> secret + " in " + directory.relativize(file))
            .forEach(left::add);
      }
    }
    return left;
  }
}
