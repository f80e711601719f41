package dev.forebay.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.forebay.tiered.encode.OtelFields;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.Attributes;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.helpers.BasicMarkerFactory;

/** What is decoded is what the event had. */
class EventFieldsTest {

  private static final String TRACE = "5b8efff798038103d269b633813fc60c";
  private static final String SPAN = "eee19b7ec3c1b174";
  private static final InstanceId SPOOL = InstanceId.random();
  private static final LoggerContext CONTEXT = context();

  private final EventFields fields = new EventFields();
  private final BodyEncoder bodies = new BodyEncoder();

  private static LoggerContext context() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  private static LoggingEvent event(
      String message,
      Map<String, String> mdc,
      @Nullable Throwable throwable,
      KeyValuePair... pairs) {
    LoggingEvent event =
        new LoggingEvent(
            "fqcn", CONTEXT.getLogger("shop.Cart"), Level.WARN, message, throwable, null);
    event.setThreadName("main");
    event.setMDCPropertyMap(mdc);
    event.setInstant(Instant.ofEpochSecond(1_800_000_000, 123_456_789));
    event.setKeyValuePairs(List.of(pairs));
    return event;
  }

  private ScopeLogs scope(LoggingEvent... events) {
    LogRequest request = new LogRequest(EventFields.resource(Map.of("a", "b")), new byte[] {'\n'});
    for (int i = 0; i < events.length; i++) {
      byte[] line = bodies.encode(events[i]);
      byte[] payload = Attributes.join(fields.encode(events[i]), line, line.length);
      request.add(ByteBuffer.wrap(payload), SPOOL, i);
    }
    try {
      return ExportLogsServiceRequest.parseFrom(request.encode(false))
          .getResourceLogs(0)
          .getScopeLogs(0);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private LogRecord record(LoggingEvent event) {
    return scope(event).getLogRecords(0);
  }

  private static AnyValue value(LogRecord record, String key) {
    List<KeyValue> all =
        record.getAttributesList().stream().filter(one -> one.getKey().equals(key)).toList();
    assertThat(all).as(key).hasSize(1);
    return all.get(0).getValue();
  }

  @Test
  void aRecordHasWhatTheEventHas() {
    IllegalStateException gone = new IllegalStateException("gone");
    LoggingEvent event = event("M\u00fcller\n", Map.of("user", "u1"), gone);
    Marker marker = new BasicMarkerFactory().getDetachedMarker("A");
    marker.add(new BasicMarkerFactory().getDetachedMarker("B"));
    event.addMarker(marker);
    ScopeLogs scope = scope(event);
    assertThat(scope.getScope().getName()).isEqualTo("shop.Cart");
    LogRecord record = scope.getLogRecords(0);
    assertThat(record.getBody().getStringValue()).isEqualTo("M\u00fcller\n");
    assertThat(record.getTimeUnixNano()).isEqualTo(1_800_000_000_123_456_789L);
    assertThat(record.getObservedTimeUnixNano()).isEqualTo(1_800_000_000_123_456_789L);
    assertThat(record.getSeverityNumberValue()).isEqualTo(13);
    assertThat(record.getSeverityText()).isEqualTo("WARN");
    assertThat(value(record, "thread.name").getStringValue()).isEqualTo("main");
    assertThat(value(record, "user").getStringValue()).isEqualTo("u1");
    assertThat(value(record, "exception.type").getStringValue())
        .isEqualTo("java.lang.IllegalStateException");
    assertThat(value(record, "exception.message").getStringValue()).isEqualTo("gone");
    assertThat(value(record, "exception.stacktrace").getStringValue())
        .startsWith(
            "java.lang.IllegalStateException: gone\n\tat " + EventFieldsTest.class.getName());
    assertThat(value(record, "logback.marker").getArrayValue().getValuesList())
        .extracting(AnyValue::getStringValue)
        .containsExactly("A", "B");
    assertThat(value(record, LogRequest.UID).getStringValue()).isEqualTo(SPOOL + "-0");
    assertThat(record.getDroppedAttributesCount()).isZero();
  }

  @Test
  void severitiesAreOpenTelemetrys() {
    assertThat(
            List.of(Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR).stream()
                .map(OtelFields::severityOf))
        .containsExactly(1, 5, 9, 13, 17);
  }

  @Test
  void traceAndSpanAreFieldsOfTheRecord() {
    for (Map<String, String> mdc :
        List.of(
            Map.of("trace_id", TRACE, "span_id", SPAN, "trace_flags", "01"),
            Map.of("traceId", TRACE, "spanId", SPAN, "trace_flags", "01"))) {
      LogRecord record = record(event("x", mdc, null));
      assertThat(record.getTraceId().toByteArray()).isEqualTo(HexFormat.of().parseHex(TRACE));
      assertThat(record.getSpanId().toByteArray()).isEqualTo(HexFormat.of().parseHex(SPAN));
      assertThat(record.getFlags()).isOne();
      assertThat(record.getAttributesList())
          .extracting(KeyValue::getKey)
          .containsExactly("thread.name", LogRequest.UID);
    }
  }

  @Test
  void pairsNameTheTraceIfTheMdcDoesNot() {
    KeyValuePair[] pairs = {
      new KeyValuePair("trace_id", TRACE), new KeyValuePair("span_id", SPAN),
    };
    LogRecord record = record(event("x", Map.of("span_id", "1"), null, pairs));
    assertThat(record.getTraceId().toByteArray()).isEqualTo(HexFormat.of().parseHex(TRACE));
    assertThat(record.getSpanId().toByteArray()).isEqualTo(HexFormat.of().parseHex(SPAN));
    assertThat(record.getAttributesList())
        .extracting(KeyValue::getKey)
        .containsExactly("thread.name", LogRequest.UID);

    String other = "f".repeat(32);
    record = record(event("x", Map.of("trace_id", other), null, pairs));
    assertThat(record.getTraceId().toByteArray()).isEqualTo(HexFormat.of().parseHex(other));
    assertThat(record.getSpanId().isEmpty()).isTrue();
    assertThat(value(record, "trace_id").getStringValue()).isEqualTo(TRACE);
  }

  @Test
  void whatIdentifiesNoTraceIsAnAttribute() {
    LogRecord record = record(event("x", Map.of("trace_id", "7", "span_id", SPAN), null));
    assertThat(record.getTraceId().isEmpty()).isTrue();
    assertThat(record.getSpanId().isEmpty()).isTrue();
    assertThat(value(record, "trace_id").getStringValue()).isEqualTo("7");
    assertThat(value(record, "span_id").getStringValue()).isEqualTo(SPAN);
  }

  @Test
  void valuesHaveTheirTypes() {
    LogRecord record =
        record(
            event(
                "x",
                Map.of(),
                null,
                new KeyValuePair("int", 7),
                new KeyValuePair("long", Long.MIN_VALUE),
                new KeyValuePair("double", Double.NaN),
                new KeyValuePair("true", true),
                new KeyValuePair("bytes", new byte[] {1, -1}),
                new KeyValuePair("list", Arrays.asList("a", null, 1)),
                new KeyValuePair("map", Map.of("k", 1)),
                new KeyValuePair("big", BigInteger.TEN.pow(40).add(BigInteger.ONE)),
                new KeyValuePair("null", null)));
    assertThat(value(record, "int").getIntValue()).isEqualTo(7);
    assertThat(value(record, "long").getIntValue()).isEqualTo(Long.MIN_VALUE);
    assertThat(value(record, "double").getDoubleValue()).isNaN();
    assertThat(value(record, "true").getBoolValue()).isTrue();
    assertThat(value(record, "bytes").getBytesValue().toByteArray()).containsExactly(1, -1);
    assertThat(value(record, "list").getArrayValue().getValuesList())
        .extracting(AnyValue::getValueCase)
        .containsExactly(
            AnyValue.ValueCase.STRING_VALUE,
            AnyValue.ValueCase.VALUE_NOT_SET,
            AnyValue.ValueCase.INT_VALUE);
    assertThat(value(record, "map").getKvlistValue().getValues(0).getValue().getIntValue()).isOne();
    assertThat(value(record, "big").getStringValue()).startsWith("1000").endsWith("0001");
    assertThat(value(record, "null").hasStringValue()).isFalse();
  }

  @Test
  void whatDoesNotFitIsLeftOutAndCounted() {
    Throwable deep = new IllegalStateException("\u20ac".repeat(12_000));
    LogRecord record =
        record(
            event(
                "x",
                Map.of("user", "u1"),
                deep,
                new KeyValuePair("text", "x".repeat(100_000)),
                new KeyValuePair("list", Collections.nCopies(9_000, "0123456789")),
                new KeyValuePair("k".repeat(100_000), 1)));
    assertThat(record.getDroppedAttributesCount()).isEqualTo(3);
    assertThat(value(record, "user").getStringValue()).isEqualTo("u1");
    assertThat(value(record, "exception.stacktrace").getStringValue())
        .startsWith("java.lang.IllegalStateException: \u20ac")
        .endsWith("\u20ac...");
    assertThat(record.getSerializedSize()).isBetween(65_000, 66_000);
  }

  /** Even one without an end, on a log call. */
  @Test
  void aCollectionIsReadNoFurtherThanItFits() {
    AtomicInteger read = new AtomicInteger();
    List<Object> texts = Collections.nCopies(Integer.MAX_VALUE, counted(read, "0123456789"));
    Map<Object, Integer> names = new HashMap<>();
    IntStream.range(0, 30_000).forEach(i -> names.put(counted(read, "name-" + i), i));
    LogRecord record =
        record(
            event(
                "x",
                Map.of(),
                null,
                new KeyValuePair("list", texts),
                new KeyValuePair("m", names)));
    assertThat(record.getDroppedAttributesCount()).isEqualTo(2);
    assertThat(read.get()).isLessThan(20_000);
  }

  private static Object counted(AtomicInteger read, String text) {
    return new Object() {
      @Override
      public String toString() {
        if (read.incrementAndGet() > 50_000) {
          throw new AssertionError("read without an end");
        }
        return text;
      }
    };
  }

  /** Attributes with one name twice are no valid record. */
  @Test
  void aRecordHasOneIdentifier() {
    KeyValuePair pair = new KeyValuePair(LogRequest.UID, "mine");
    LogRecord record = record(event("x", Map.of(LogRequest.UID, "mine"), null, pair));
    assertThat(value(record, LogRequest.UID).getStringValue()).isEqualTo(SPOOL + "-0");
  }

  @Test
  void recordsOfALoggerAreTogetherInOrder() throws InvalidProtocolBufferException {
    LogRequest request = new LogRequest(EventFields.resource(Map.of("a", "b")), new byte[0]);
    Instant now = Instant.now();
    int sequence = 0;
    for (String logger : List.of("a", "a", "b", "a")) {
      byte[] attributes = fields.encode(logger, now, Level.INFO);
      byte[] payload = Attributes.join(attributes, new byte[] {'x'}, 1);
      request.add(ByteBuffer.wrap(payload), SPOOL, sequence++);
    }
    assertThat(
            ExportLogsServiceRequest.parseFrom(request.encode(false))
                .getResourceLogs(0)
                .getScopeLogsList())
        .extracting(logs -> logs.getScope().getName() + logs.getLogRecordsCount())
        .containsExactly("a2", "b1", "a1");
  }

  @Test
  void whatIsDamagedIsSent() {
    LogRequest request = new LogRequest(new byte[0], new byte[] {'\n'});
    for (byte[] payload : List.of(new byte[0], new byte[] {9}, new byte[] {0, 1, 5, 'x'})) {
      request.add(ByteBuffer.wrap(payload), SPOOL, 0);
    }
    assertThat(request.count()).isEqualTo(3);
  }

  @Property(tries = 500)
  void whatIsEncodedIsDecoded(
      @ForAll("texts") String message,
      @ForAll("mdcs") Map<String, String> mdc,
      @ForAll("pairs") List<KeyValuePair> pairs,
      @ForAll boolean throwing) {
    Throwable throwable = throwing ? new IllegalStateException(message) : null;
    LogRecord record = record(event(message, mdc, throwable, pairs.toArray(KeyValuePair[]::new)));
    assertThat(record.getBody().getStringValue()).isEqualTo(message);
    Map<String, Object> expected = new TreeMap<>(mdc);
    pairs.forEach(pair -> expected.put(pair.key, pair.value));
    Map<String, Object> decoded = new TreeMap<>();
    for (KeyValue each : record.getAttributesList()) {
      AnyValue value = each.getValue();
      Object plain = value.hasIntValue() ? value.getIntValue() : value.getStringValue();
      assertThat(decoded.put(each.getKey(), plain)).as(each.getKey()).isNull();
    }
    decoded.keySet().removeIf(key -> key.matches("thread.name|exception[.].*|log.record.uid"));
    assertThat(decoded).isEqualTo(expected);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ascii().ofMaxLength(20),
        Arbitraries.strings().withChars("\u0085\u2028\"\\\t\u00e9\u20ac").ofMaxLength(200),
        Arbitraries.of("", " ", "\uD83D\uDE00", "a\r\nb", "\uFEFF\uFFFF"));
  }

  @Provide
  Arbitrary<Map<String, String>> mdcs() {
    return Arbitraries.maps(keys(), texts()).ofMaxSize(8);
  }

  @Provide
  Arbitrary<List<KeyValuePair>> pairs() {
    Arbitrary<Object> values =
        Arbitraries.oneOf(
            texts().map(Object.class::cast), Arbitraries.longs().map(Object.class::cast));
    return keys()
        .flatMap(key -> values.map(value -> new KeyValuePair(key, value)))
        .list()
        .ofMaxSize(6);
  }

  private static Arbitrary<String> keys() {
    return Arbitraries.of("a", "b", "user", "\u20ac", "trace_id", "k".repeat(300));
  }
}
