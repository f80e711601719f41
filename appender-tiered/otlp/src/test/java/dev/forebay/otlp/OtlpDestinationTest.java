package dev.forebay.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.status.Status;
import dev.forebay.ConfigFindings;
import dev.forebay.host.Await;
import dev.forebay.otlp.Collector.Reply;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a configuration and the environment may say. */
class OtlpDestinationTest {

  private static final String GOOD = "<endpoint>http://localhost:1/v1/logs</endpoint>";

  @TempDir Path spool;
  private final LoggerContext context = new LoggerContext();

  @AfterEach
  void stop() {
    context.stop();
  }

  private List<String> problems(String destination, String more) throws Exception {
    String xml =
        """
        <configuration>
          <appender name="OTLP" class="dev.forebay.tiered.TieredAppender">
            <destination class="dev.forebay.otlp.OtlpDestination">%s</destination>
            <spoolDirectory>%s</spoolDirectory><maxFlushTime>1 second</maxFlushTime>%s
          </appender>
          <root><appender-ref ref="OTLP"/></root>
        </configuration>
        """
            .formatted(destination, spool, more);
    JoranConfigurator joran = new JoranConfigurator();
    context.setMDCAdapter(new LogbackMDCAdapter());
    joran.setContext(context);
    joran.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() >= Status.WARN)
        .map(Status::getMessage)
        .filter(text -> !text.contains(" is not on tmpfs"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | <endpoint> of <destination> must be there: write http://localhost:4318/v1/logs, for instance, or set OTEL_EXPORTER_OTLP_ENDPOINT",
        "<endpoint>localhost:4318</endpoint> | <endpoint> of <destination> is \"localhost:4318\": must be an http or https URL",
        "<endpoint>http://my_collector:4318</endpoint> | \"http://my_collector:4318\": must be",
        "<endpoint>http://:4318/v1/logs</endpoint> | must be an http or https URL",
        "<endpoint>grpc://a:4317</endpoint> | must be an http or https URL",
        "<endpoint>http://a b/</endpoint> | must be an http or https URL",
        "<endpoint>http://a:99999/</endpoint> | must be an http or https URL",
        "<endpoint>ftp://u:s3cret@h/?key=s3cret</endpoint> | is \"…@h/?…\": must be an http or https URL",
        "<endpoint>http://my_host/v1/logs?user=a@b&amp;key=s3cret</endpoint> | is \"http://…\": must be an http or https URL",
        "<endpoint>http://u:p?s3cret@my_host/?a@s3cret</endpoint> | is \"http://…\": must be an http or https URL",
        "<endpoint>http//u:s3cret@h</endpoint> | is \"http//…@h\": must be an http or https URL",
        "GOOD<header>s3cret</header> | <header> number 1 of <destination> must be name=value",
        "GOOD<header>a=b</header><header>X-Key=</header> | <header> number 2 of <destination> must be name=value",
        "GOOD<header>Authorization: Bearer s3cret==</header> | <header> number 1 of <destination> must be name=value",
        "GOOD<header>Host=s3cret</header> | <header> number 1 of <destination>: Host must be left to the client: remove it",
        "GOOD<compression>zstd</compression> | <compression> of <destination> is \"zstd\": must be gzip or none",
        "GOOD<timeout>soon</timeout> | <timeout> is \"soon\": must be a time",
        "GOOD<timeout>1 ms</timeout> | <timeout> is 1 ms: must be between 100 and 300000 ms",
        "GOOD<proxy>u:s3cret@p:1</proxy> | <proxy> of <destination> is \"…@p:1\": must be host:port",
        "GOOD<proxy>p:70000</proxy> | <proxy> of <destination> is \"p:70000\": must be host:port",
        "GOOD<clientKey>key.pem</clientKey> | <clientCertificate> and <clientKey> must be both there, or none",
        "GOOD<resource>a=1, b=2</resource><resource>a=3</resource> | <resource> of <destination> has a twice: must be there once",
        "GOOD<resource>a=1, b</resource> | <resource> of <destination> has \"b\": must be name=value",
      })
  void whatCannotBeUsedKeepsItFromStarting(String destination, String expected) throws Exception {
    List<String> problems = problems(destination.replace("GOOD", GOOD), "");
    assertThat(problems)
        .anySatisfy(text -> assertThat(text).contains("not started").contains(expected))
        .noneMatch(text -> text.contains("s3cret"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GOOD | <file>app.log</file> | <destination> and <file> exclude each other",
        "GOOD<url>x</url> | '' | <url> is no element of dev.forebay.otlp.OtlpDestination: ignored",
        "<endpoint>http://localhost:1</endpoint> | '' | <endpoint> of <destination> has no path: must be such as /v1/logs",
      })
  void whatIsWrongIsTold(String destination, String more, String expected) throws Exception {
    assertThat(problems(destination.replace("GOOD", GOOD), more))
        .anySatisfy(text -> assertThat(text).contains(expected));
  }

  @Test
  void withoutAnEncoderTheBodyIsTheMessage() throws Exception {
    try (Collector collector = Collector.start()) {
      assertThat(problems("<endpoint>" + collector.endpoint() + "</endpoint>", "")).isEmpty();
      context.getLogger("a").info("one\ntwo\n");
      context.getLogger("a").atInfo().addKeyValue("k", 1).log();
      collector.awaitRecords(2);
      assertThat(collector.bodies()).containsExactly("one\ntwo\n", "");
      assertThat(collector.requests().get(0).records().get(0).getSeverityText()).isEqualTo("INFO");
    }
  }

  @Test
  void anEncodersLineIsTheBody() throws Exception {
    try (Collector collector = Collector.start()) {
      String encoder = "<encoder><pattern>%level %msg%n</pattern></encoder>";
      assertThat(problems("<endpoint>" + collector.endpoint() + "</endpoint>", encoder)).isEmpty();
      context.getLogger("a").info("one");
      collector.awaitRecords(1);
      assertThat(collector.bodies()).containsExactly("INFO one");
    }
  }

  /** Receivers refuse text that is not UTF-8. */
  @Test
  void aLineThatIsNotUtf8ComesAsBytes() throws Exception {
    try (Collector collector = Collector.start()) {
      String encoder = "<encoder><charset>ISO-8859-1</charset><pattern>%msg%n</pattern></encoder>";
      assertThat(problems("<endpoint>" + collector.endpoint() + "</endpoint>", encoder)).isEmpty();
      context.getLogger("a").info("\u00fc");
      collector.awaitRecords(1);
      assertThat(
              collector.requests().get(0).records().get(0).getBody().getBytesValue().toByteArray())
          .containsExactly(0xFC);
    }
  }

  @Test
  void theExampleWorksAsItStands() throws Exception {
    try (Collector collector = Collector.start()) {
      context.setMDCAdapter(new LogbackMDCAdapter());
      context.putProperty("OTLP", collector.endpoint());
      context.putProperty("SPOOL_DIR", spool.toString());
      JoranConfigurator joran = new JoranConfigurator();
      joran.setContext(context);
      joran.doConfigure(Path.of("../../src/examples/tiered-otlp.xml").toFile());
      context.getLogger("a").info("one");
      collector.awaitRecords(1);
      assertThat(resourceOf(collector.requests().get(0))).isEqualTo(Map.of("service.name", "shop"));
    }
  }

  private static Map<String, String> resourceOf(Collector.Request request) {
    Map<String, String> all = new TreeMap<>();
    for (KeyValue each : request.logs().getResourceLogs(0).getResource().getAttributesList()) {
      assertThat(all.put(each.getKey(), each.getValue().getStringValue())).isNull();
    }
    return all;
  }

  @Test
  void whatIsNotConfiguredIsOfTheEnvironment() throws Exception {
    try (Collector collector = Collector.start()) {
      String base = "http://localhost:" + collector.port() + "/otlp/";
      Map<String, String> environment =
          Map.of(
              "OTEL_EXPORTER_OTLP_ENDPOINT", base,
              "OTEL_EXPORTER_OTLP_HEADERS", "X-Tenant=a%20b,X-Key=k1",
              "OTEL_EXPORTER_OTLP_LOGS_COMPRESSION", "none",
              "OTEL_EXPORTER_OTLP_COMPRESSION", "gzip",
              "OTEL_EXPORTER_OTLP_TIMEOUT", "20000",
              "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc",
              "OTEL_SERVICE_NAME", "shop",
              "OTEL_RESOURCE_ATTRIBUTES", "service.name=no,k8s.pod=p%2C1,zone=z1");
      try (Shop shop =
          Shop.start(
              spool,
              to -> {
                to.addHeader("x-key=k2");
                to.addResource("zone = z2 ,a=b=c%2C");
              },
              environment)) {
        shop.log.info("x");
        collector.awaitRecords(1);
        assertThat(shop.problems())
            .singleElement()
            .asString()
            .contains("OTEL_EXPORTER_OTLP_PROTOCOL is grpc: must be http/protobuf");
      }
      Collector.Request request = collector.requests().get(0);
      assertThat(request.uri().getPath()).isEqualTo("/otlp/v1/logs");
      assertThat(request.headers().getFirst("X-Tenant")).isEqualTo("a b");
      assertThat(request.headers().get("X-Key")).containsExactly("k2");
      assertThat(request.headers().containsKey("Content-Encoding")).isFalse();
      assertThat(resourceOf(request))
          .isEqualTo(Map.of("service.name", "shop", "k8s.pod", "p,1", "zone", "z2", "a", "b=c,"));
    }
  }

  @Test
  void theEndpointForLogsIsUsedAsItIs() throws Exception {
    try (Collector collector = Collector.start()) {
      String own = "http://localhost:" + collector.port() + "/own?key=k1";
      Map<String, String> environment =
          Map.of(
              "OTEL_EXPORTER_OTLP_ENDPOINT",
              "http://nowhere.invalid",
              "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
              own);
      try (Shop shop = Shop.start(spool, to -> {}, environment)) {
        shop.log.info("x");
        collector.awaitRecords(1);
      }
      assertThat(collector.requests().get(0).uri().toString()).isEqualTo("/own?key=k1");
      assertThat(resourceOf(collector.requests().get(0)))
          .isEqualTo(Map.of("service.name", "unknown_service:java"));
    }
  }

  @Test
  void aUserInTheEndpointBecomesAHeader() throws Exception {
    try (Collector collector = Collector.start()) {
      String endpoint = collector.endpoint().replace("//", "//u:p%20w@");
      try (Shop shop = Shop.start(spool, endpoint)) {
        shop.log.info("x");
        collector.awaitRecords(1);
        assertThat(shop.told(Status.INFO)).noneMatch(text -> text.contains("u:p"));
      }
      assertThat(collector.requests().get(0).headers().getFirst("Authorization"))
          .isEqualTo("Basic dTpwIHc=");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "none"})
  void requestsAreCompressedUnlessConfigured(String compression) throws Exception {
    try (Collector collector = Collector.start()) {
      try (Shop shop =
          Shop.start(
              spool,
              to -> {
                to.setEndpoint(collector.endpoint());
                to.setCompression(compression);
              },
              Map.of())) {
        shop.log.info("x");
        collector.awaitRecords(1);
      }
      String encoding = collector.requests().get(0).headers().getFirst("Content-Encoding");
      assertThat(encoding).isEqualTo(compression.equals("gzip") ? "gzip" : null);
    }
  }

  @Test
  void theClientsOwnLogIsKeptOut() throws Exception {
    try (Collector collector = Collector.start();
        Shop shop = Shop.start(spool, collector.endpoint())) {
      shop.context.getLogger("jdk.httpclient.HttpClient").info("loop");
      for (String ofTls : List.of("javax.net.ssl", "jdk.event.security")) {
        Runnable logs = () -> shop.context.getLogger(ofTls).info("loop");
        for (String name : List.of("HttpClient-1-Worker-0", "forebay-shipper-OTLP")) {
          Thread thread = new Thread(logs, name);
          thread.start();
          thread.join();
        }
      }
      shop.context.getLogger("javax.net.ssl").info("of the application");
      shop.log.info("x");
      collector.awaitRecords(2);
      assertThat(collector.bodies()).containsExactly("of the application", "x");
    }
  }

  @Provide
  Arbitrary<String> secrets() {
    return Arbitraries.strings()
        .withCharRange('a', 'z')
        .withCharRange('0', '9')
        .withChars("-._~+/:%=")
        .ofMinLength(8)
        .ofMaxLength(40)
        .map(text -> "Zq" + text); // in no text of ours
  }

  /** Whatever is wrong with a configuration, no message shows what may be secret. */
  @Property(tries = 300)
  void noSecretIsInAFinding(
      @ForAll("secrets") String secret,
      @ForAll("forms") String header,
      @ForAll("urls") String url) {
    OtlpDestination to = new OtlpDestination(Map.of("OTEL_EXPORTER_OTLP_HEADERS", "a=" + secret));
    to.setEndpoint(url.replace("SECRET", secret.replaceAll("[/:]", "")));
    to.addHeader(header.replace("SECRET", secret));
    to.setProxy("u:" + secret + "@p:1");
    ConfigFindings findings = new ConfigFindings();
    to.validate(100, findings);
    List<String> told = new ArrayList<>(List.of(to.name()));
    findings.reportTo(told::add);
    String core = secret.replaceAll("[/:]", "");
    String begin = core.substring(0, Math.min(8, core.length()));
    assertThat(told).noneMatch(text -> text.contains(begin));
  }

  @Provide
  Arbitrary<String> forms() {
    return Arbitraries.of(
        "SECRET",
        "a b=SECRET",
        "=SECRET",
        "Host=SECRET",
        "X-Key=SECRET",
        "X: SECRET=",
        "a=SECRET\n");
  }

  @Provide
  Arbitrary<String> urls() {
    return Arbitraries.of(
        "http://u:SECRET@h/v1/logs",
        "http://SECRET@h:1/?k=SECRET",
        "htp://u:SECRET@h/",
        "u:SECRET@h",
        "http//u:SECRET@h:1/x",
        "http://u:SECRET@my_host/x?k=SECRET#SECRET",
        "http://h/v1/logs?key=SECRET",
        "http://u:SECRET?x#y@h/",
        "http://h/ ?key=SECRET");
  }

  /** Nor if the collector repeats it. */
  @Property(tries = 8)
  void noSecretIsInAMessageAboutAnAnswer(
      @ForAll("secrets") String secret, @ForAll("statuses") int status) throws IOException {
    Path here = Files.createTempDirectory("otlp");
    try (Collector collector = Collector.start()) {
      collector.answer(
          request ->
              Reply.of(
                  status,
                  "you said " + request.headers().getFirst("X-Key") + " and " + request.uri(),
                  "Location",
                  "http://u:" + secret + "@h/x?" + secret));
      try (Shop shop =
          Shop.start(
              here,
              to -> {
                to.setEndpoint(collector.endpoint() + "?k=" + secret.replace("%", ""));
                to.addHeader("X-Key=Bearer " + secret);
              },
              Map.of())) {
        shop.log.info("x");
        shop.awaitProblem("HTTP " + status);
        assertThat(shop.told(Status.INFO))
            .noneMatch(text -> text.contains(secret) || text.contains(secret.replace("%", "")));
      }
    } finally {
      try (Stream<Path> all = Files.walk(here)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  @Provide
  Arbitrary<Integer> statuses() {
    return Arbitraries.of(400, 401, 307, 503, 500, 413);
  }
}
