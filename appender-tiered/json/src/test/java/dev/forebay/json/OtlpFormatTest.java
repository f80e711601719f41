package dev.forebay.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.forebay.otlp.OtlpDestination;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.LogsData;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.KeyValuePair;

/** A line is what the messages of OpenTelemetry's protocol are as JSON. */
class OtlpFormatTest {

  private static final String TRACE = "5b8efff798038103d269b633813fc60c";
  private static final String SPAN = "eee19b7ec3c1b174";

  /** The protocol has them in hexadecimal, where JSON of other messages has Base64. */
  private static final Pattern ID = Pattern.compile("\"(traceId|spanId)\":\"([0-9a-f]+)\"");

  private final JsonLinesEncoder encoder = Lines.encoder(AnyEvent.CONTEXT, "otlp", e -> {});
  private final AnyEvent any = new AnyEvent();

  /** Unknown names are refused. */
  private static ResourceLogs parsed(byte[] line) {
    String base64 =
        ID.matcher(new String(line, UTF_8))
            .replaceAll(
                id ->
                    "\"%s\":\"%s\""
                        .formatted(
                            id.group(1),
                            Base64.getEncoder()
                                .encodeToString(HexFormat.of().parseHex(id.group(2)))));
    LogsData.Builder logs = LogsData.newBuilder();
    try {
      JsonFormat.parser().merge(base64, logs);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(base64, e);
    }
    assertThat(logs.getResourceLogsCount()).isOne();
    return logs.getResourceLogs(0);
  }

  private static LogRecord recordOf(ResourceLogs logs) {
    return logs.getScopeLogs(0).getLogRecords(0);
  }

  private LogRecord written() {
    Map<String, Object> unused = Lines.fields(encoder, any.event());
    return recordOf(parsed(encoder.encode(any.event())));
  }

  private static Map<String, Object> values(List<KeyValue> attributes) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (KeyValue attribute : attributes) {
      Object before = values.put(attribute.getKey(), valueOf(attribute.getValue()));
      assertThat(before).as(attribute.getKey()).isNull();
    }
    return values;
  }

  private static Object valueOf(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case INT_VALUE -> value.getIntValue();
      case DOUBLE_VALUE -> value.getDoubleValue();
      case BOOL_VALUE -> value.getBoolValue();
      case BYTES_VALUE -> value.getBytesValue().toStringUtf8();
      case ARRAY_VALUE ->
          value.getArrayValue().getValuesList().stream().map(OtlpFormatTest::valueOf).toList();
      case KVLIST_VALUE -> values(value.getKvlistValue().getValuesList());
      default -> "nothing";
    };
  }

  private Object pair(@Nullable Object value) {
    any.pairs = List.of(new KeyValuePair("k", value));
    return Objects.requireNonNull(values(written().getAttributesList()).get("k"));
  }

  @Test
  void aRecordHasWhatTheEventHas() {
    any.message = "M\u00fcller\n";
    any.thread = "main";
    any.logger = "com.acme.Shop";
    any.level = Level.WARN;
    any.time = Instant.ofEpochSecond(1_800_000_000, 123_456_789);
    any.markers = List.of(AnyEvent.marker("A", "B"));
    any.throwable = new IllegalStateException("gone");
    LogRecord record = written();
    assertThat(record.getBody().getStringValue()).isEqualTo("M\u00fcller\n");
    assertThat(record.getTimeUnixNano()).isEqualTo(1_800_000_000_123_456_789L);
    assertThat(record.getObservedTimeUnixNano()).isEqualTo(1_800_000_000_123_456_789L);
    assertThat(record.getSeverityNumberValue()).isEqualTo(13);
    assertThat(record.getSeverityText()).isEqualTo("WARN");
    Map<String, Object> attributes = values(record.getAttributesList());
    assertThat(attributes)
        .containsEntry("thread.name", "main")
        .containsEntry("logback.marker", List.of("A", "B"))
        .containsEntry("exception.type", "java.lang.IllegalStateException")
        .containsEntry("exception.message", "gone")
        .hasSize(5);
    assertThat(attributes.get("exception.stacktrace"))
        .asString()
        .startsWith("java.lang.IllegalStateException: gone\n\tat ");
    assertThat(parsed(encoder.encode(any.event())).getScopeLogs(0).getScope().getName())
        .isEqualTo("com.acme.Shop");
  }

  @Test
  void severitiesAreTheFirstOfTheirRange() {
    int expected = 1;
    for (Level level : List.of(Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR)) {
      any.level = level;
      assertThat(written().getSeverityNumberValue()).isEqualTo(expected);
      expected += 4;
    }
  }

  @Test
  void valuesHaveTheirTypes() {
    assertThat(pair("text")).isEqualTo("text");
    assertThat(pair(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(pair(new AtomicInteger(7))).isEqualTo(7L);
    assertThat(pair(true)).isEqualTo(true);
    assertThat(pair(0.1f)).isEqualTo(0.1);
    assertThat(pair(1e300)).isEqualTo(1e300);
    assertThat(pair(Double.NaN)).isEqualTo(Double.NaN);
    assertThat(pair(Float.NEGATIVE_INFINITY)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(pair(new BigDecimal("1.50"))).isEqualTo(1.5);
    assertThat(pair(new BigDecimal("1E+2147483647"))).isEqualTo("1E+2147483647");
    assertThat(pair(BigInteger.TEN.pow(18))).isEqualTo(1e18);
    assertThat(pair(BigInteger.TEN.pow(30).add(BigInteger.ONE)))
        .isEqualTo("1" + "0".repeat(29) + "1");
    assertThat(pair(null)).isEqualTo("nothing");
    assertThat(pair(new byte[] {1})).isEqualTo("\u0001");
  }

  @Test
  void listsAndMapsAreValues() {
    assertThat(pair(Arrays.asList(1, null, "a"))).isEqualTo(List.of(1L, "nothing", "a"));
    assertThat(pair(Map.of("x", new int[] {1}))).isEqualTo(Map.of("x", List.of(1L)));
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThat(pair(list)).asString().isEqualTo("[".repeat(17) + "..." + "]".repeat(17));
  }

  @Test
  void traceIdentifiersAreFields() {
    any.mdc = Map.of("trace_id", TRACE, "span_id", SPAN, "trace_flags", "01", "user", "u");
    LogRecord record = written();
    assertThat(HexFormat.of().formatHex(record.getTraceId().toByteArray())).isEqualTo(TRACE);
    assertThat(HexFormat.of().formatHex(record.getSpanId().toByteArray())).isEqualTo(SPAN);
    assertThat(record.getFlags()).isOne();
    assertThat(values(record.getAttributesList())).containsOnlyKeys("thread.name", "user");
    any.mdc = Map.of("traceId", TRACE, "spanId", SPAN); // Micrometer's
    assertThat(HexFormat.of().formatHex(written().getSpanId().toByteArray())).isEqualTo(SPAN);
    assertThat(values(written().getAttributesList())).containsOnlyKeys("thread.name");
  }

  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000000000000, eee19b7ec3c1b174",
    "5b8efff798038103d269b633813fc6, eee19b7ec3c1b174",
    "5b8efff798038103d269b633813fc6\u0661\u0661, eee19b7ec3c1b174",
    "'', eee19b7ec3c1b174"
  })
  void whatIsNoTraceStaysAnAttribute(String trace, String span) {
    any.mdc = Map.of("trace_id", trace, "span_id", span, "trace_flags", "01");
    LogRecord record = written();
    assertThat(record.getTraceId()).isEmpty();
    assertThat(record.getSpanId()).isEmpty();
    assertThat(values(record.getAttributesList()))
        .containsEntry("trace_id", trace)
        .containsEntry("span_id", span)
        .containsEntry("trace_flags", "01");
  }

  @Test
  void theResourceIsConfigured() {
    LineSettings settings =
        new LineSettings(
            Map.of("serviceVersion", "1.2"),
            Map.of("team", "blue", "cloud.region", "eu"),
            java.util.Set.of(),
            java.util.Set.of(),
            0,
            0,
            null);
    OtlpFormat format =
        new OtlpFormat(
            settings,
            Map.of(
                "OTEL_SERVICE_NAME", "shop",
                "OTEL_RESOURCE_ATTRIBUTES",
                    "service.name=other,service.version=9,cloud.region=us,k8s.pod.name=a%20b+c,bad,=x"));
    assertThat(format.addStaticFields()).isEmpty();
    any.mdc = Map.of("team", "of the MDC", "service.name", "too");
    JsonLine line = new JsonLine();
    format.write(any.event(), line);
    ResourceLogs logs = parsed(line.toBytes());
    assertThat(values(logs.getResource().getAttributesList()))
        .containsEntry("service.name", "shop")
        .containsEntry("service.version", "1.2")
        .containsEntry("team", "blue")
        .containsEntry("cloud.region", "eu")
        .containsEntry("k8s.pod.name", "a b+c")
        .containsEntry("process.pid", ProcessHandle.current().pid())
        .hasSize(6);
    assertThat(values(recordOf(logs).getAttributesList()))
        .containsEntry("team", "of the MDC")
        .containsEntry("service.name", "too");
  }

  @Test
  void timesThatTheProtocolDoesNotHaveAreItsFirstAndLast() {
    any.time = Instant.ofEpochSecond(-5);
    assertThat(written().getTimeUnixNano()).isZero();
    any.time = Instant.ofEpochSecond(0, 5);
    assertThat(written().getTimeUnixNano()).isEqualTo(5);
    any.time = Instant.MAX;
    assertThat(Long.toUnsignedString(written().getTimeUnixNano()))
        .isEqualTo("18446744072999999999");
  }

  @Provide
  Arbitrary<AnyEvent> events() {
    Arbitrary<String> keys =
        Arbitraries.oneOf(
            Arbitraries.of(
                "thread.name",
                "exception.type",
                "logback.marker",
                "service.name",
                "",
                "trace_id",
                "traceId",
                "span_id"),
            Arbitraries.strings().ofMaxLength(5));
    return AnyEvent.events(keys, keys, AnyEvent.nested());
  }

  /** With each attribute once. */
  @Property
  void everyLineIsParsed(@ForAll("events") AnyEvent event) {
    ResourceLogs logs = parsed(encoder.encode(event.event()));
    assertThat(values(recordOf(logs).getAttributesList())).containsKey("thread.name");
    assertThat(recordOf(logs).getBody().hasStringValue()).isEqualTo(event.message != null);
  }

  private static LogRecord sorted(LogRecord record) {
    List<KeyValue> attributes =
        record.getAttributesList().stream().sorted(Comparator.comparing(KeyValue::getKey)).toList();
    return record.toBuilder().clearBody().clearAttributes().addAllAttributes(attributes).build();
  }

  @Property
  void whatIsSentIsTheSameButForTheBody(@ForAll("events") AnyEvent event)
      throws InvalidProtocolBufferException {
    ByteBuffer sent = ByteBuffer.wrap(new OtlpDestination().attributes(event.event()));
    int nameBytes = sent.getShort();
    LogRecord record = LogRecord.parseFrom(sent.position(Short.BYTES + nameBytes));
    assertThat(sorted(record)).isEqualTo(sorted(recordOf(parsed(encoder.encode(event.event())))));
  }
}
