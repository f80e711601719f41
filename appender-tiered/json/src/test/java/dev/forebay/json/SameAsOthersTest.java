package dev.forebay.json;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import co.elastic.logging.logback.EcsEncoder;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.logstash.logback.encoder.LogstashEncoder;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Field by field what others write of the same event; each test names what differs. */
class SameAsOthersTest {

  private static final long PID = ProcessHandle.current().pid();

  private final JsonLinesEncoder logstash =
      Lines.encoder(AnyEvent.CONTEXT, "logstash", encoder -> encoder.addField("static=x y"));

  private final JsonLinesEncoder ecs =
      Lines.encoder(
          AnyEvent.CONTEXT,
          "ecs",
          encoder -> {
            encoder.setServiceName("shop");
            encoder.setServiceVersion("1.2");
            encoder.setServiceEnvironment("test");
            encoder.setServiceNodeName("node-1");
          });

  private final JsonLinesEncoder gelf =
      Lines.encoder(
          AnyEvent.CONTEXT,
          "gelf",
          encoder -> {
            encoder.setHost("shop");
            encoder.setServiceVersion("1.2");
          });

  private final Encoder<ILoggingEvent> realLogstash = realLogstash();
  private final Encoder<ILoggingEvent> elastic = elastic();
  private final Encoder<ILoggingEvent> bootEcs = boot("ecs");
  private final Encoder<ILoggingEvent> bootGelf = boot("gelf");

  private static Encoder<ILoggingEvent> realLogstash() {
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setContext(AnyEvent.CONTEXT);
    encoder.setCustomFields("{\"static\":\"x y\"}");
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> elastic() {
    EcsEncoder encoder = new EcsEncoder();
    encoder.setContext(AnyEvent.CONTEXT);
    encoder.setServiceName("shop");
    encoder.setServiceVersion("1.2");
    encoder.setServiceEnvironment("test");
    encoder.setServiceNodeName("node-1");
    encoder.setIncludeMarkers(true); // ours are always written, as Boot's
    ThrowableProxyConverter stackTraces = new ThrowableProxyConverter(); // as Boot's, too
    stackTraces.start();
    encoder.setThrowableConverter(stackTraces);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> boot(String format) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "test",
                Map.of(
                    "spring.application.name", "shop",
                    "spring.application.version", "1.2",
                    "spring.application.pid", PID,
                    "logging.structured.ecs.service.environment", "test",
                    "logging.structured.ecs.service.node-name", "node-1")));
    AnyEvent.CONTEXT.putObject(Environment.class.getName(), environment);
    StructuredLogEncoder encoder = new StructuredLogEncoder();
    encoder.setContext(AnyEvent.CONTEXT);
    encoder.setFormat(format);
    encoder.start();
    return encoder;
  }

  @Provide
  Arbitrary<AnyEvent> events() {
    return AnyEvent.events(
        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(9).map("mdc."::concat),
        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(9).map("pair."::concat),
        AnyEvent.nested());
  }

  /** Nothing differs. */
  @Property
  void logstashIsThatOfLogstashLogbackEncoder(@ForAll("events") AnyEvent any) {
    AnyEvent.CONTEXT.putProperty("of.context", "\u20ac\n");
    ILoggingEvent event = any.event();
    assertThat(Lines.fields(logstash, event)).isEqualTo(Lines.fieldsOf(realLogstash, event));
  }

  /** Elastic's encoder writes no process id and no key-value pairs. */
  @Property
  void ecsIsThatOfElastic(@ForAll("events") AnyEvent any) {
    ILoggingEvent event = any.event();
    Map<String, Object> fields = Lines.fields(ecs, event);
    assertThat(fields.remove("process.pid")).isEqualTo((int) PID);
    any.pairs.forEach(pair -> fields.remove(pair.key));
    assertThat(fields).isEqualTo(Lines.fieldsOf(elastic, event));
  }

  /**
   * Boot's has objects where ours has names with dots, which mean the same to Elasticsearch;
   * another version of the schema; the time with all its digits; null for a message that is none;
   * no dataset; and sorts tags. A number that is none makes its line invalid.
   */
  @Property
  void ecsIsThatOfBoot(@ForAll("numbered") AnyEvent any) {
    ILoggingEvent event = any.event();
    Map<String, Object> fields = Lines.flat(Lines.fields(ecs, event));
    Map<String, Object> expected = Lines.flat(Lines.fieldsOf(bootEcs, event));
    expected.put("ecs.version", "1.2.0");
    expected.put("event.dataset", "shop");
    if (any.message == null) {
      expected.put("message", "null");
    }
    if (any.throwable != null && any.throwable.getMessage() == null) {
      expected.remove("error.message", null);
    }
    for (Map<String, Object> one : List.of(fields, expected)) {
      Instant time = Instant.parse((String) one.get("@timestamp"));
      one.put("@timestamp", time.truncatedTo(ChronoUnit.MILLIS));
      one.computeIfPresent("tags", (name, tags) -> new HashSet<>((Collection<?>) tags));
    }
    assertThat(fields).isEqualTo(expected);
  }

  /** Boot's has null for a message that is none: Graylog refuses the line then. */
  @Property
  void gelfIsThatOfBoot(@ForAll("numbered") AnyEvent any) {
    ILoggingEvent event = any.event();
    Map<String, Object> expected = Lines.fieldsOf(bootGelf, event);
    if (any.message == null) {
      expected.put("short_message", "(blank)");
    }
    assertThat(Lines.fields(gelf, event)).isEqualTo(expected);
  }

  @Provide
  Arbitrary<AnyEvent> numbered() {
    return events()
        .filter(
            any ->
                any.pairs.stream()
                    .map(pair -> Arrays.deepToString(new Object[] {pair.value}))
                    .noneMatch(text -> text.contains("NaN") || text.contains("Infinity")));
  }

  /** Jackson writes an optional's content, an object's getters; ours their text. */
  @Test
  void otherObjectsAreText() {
    AnyEvent any = new AnyEvent();
    any.pairs =
        List.of(
            new KeyValuePair("optional", Optional.of(1)),
            new KeyValuePair("path", Path.of("/tmp/x")),
            new KeyValuePair("truth", new AtomicBoolean()));
    assertThat(Lines.fields(logstash, any.event()))
        .containsAllEntriesOf(
            new TreeMap<>(Map.of("optional", "Optional[1]", "path", "/tmp/x", "truth", "false")));
  }
}
