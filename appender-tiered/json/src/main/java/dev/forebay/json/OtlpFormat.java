package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.forebay.tiered.encode.OtelFields;
import java.net.URLDecoder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * OpenTelemetry's logs as OTLP/JSON, each line a {@code LogsData} of one record: identifiers are
 * hexadecimal, 64-bit integers strings, severities numbers. What is the same in all lines, also a
 * static field, is an attribute of the resource; trace identifiers are taken from the MDC, or else
 * from key-value pairs.
 */
final class OtlpFormat extends LineFormat {

  private static final byte[] RESOURCE = ascii("{'resourceLogs':[{'resource':{'attributes':[");
  private static final byte[] SCOPE = ascii("]},'scopeLogs':[{'scope':{'name':");
  private static final byte[] RECORD = ascii("},'logRecords':[{'timeUnixNano':'");
  private static final byte[] OBSERVED = ascii("','observedTimeUnixNano':'");
  private static final byte[] SEVERITY = ascii("','severityNumber':");
  private static final byte[] SEVERITY_TEXT = ascii(",'severityText':");
  private static final byte[] BODY = ascii(",'body':");
  private static final byte[] ATTRIBUTES = ascii(",'attributes':[");
  private static final byte[] THREAD = ascii("{'key':'thread.name','value':");
  private static final byte[] KEY = ascii(",{'key':");
  private static final byte[] VALUE = ascii(",'value':");
  private static final byte[] TEXT_END = ascii("}}");
  private static final byte[] MARKERS = ascii(",{'key':'logback.marker','value':");
  private static final byte[] MARKERS_BEGIN = ascii("{'arrayValue':{'values':[");
  private static final byte[] MARKERS_END = ascii("]}}}");
  private static final byte[] TRACE_ID = ascii(",'traceId':");
  private static final byte[] SPAN_ID = ascii(",'spanId':");
  private static final byte[] FLAGS = ascii(",'flags':");
  private static final byte[] END = ascii("}]}]}]}");

  private static final int TRACE_DIGITS = 32;
  private static final int SPAN_DIGITS = 16;
  private static final int FLAGS_DIGITS = 2;
  private static final int HEX = 16;
  private static final int NANOS_DIGITS = 9;

  private final byte[] exceptionType = ownOfThrowable("exception.type");
  private final byte[] exceptionMessage = ownOfThrowable("exception.message");
  private final byte[] stackTrace = ownOfThrowable("exception.stacktrace");

  OtlpFormat(LineSettings settings, Map<String, String> environment) {
    super(settings, new ThrowableProxyConverter(), true, true);
    processId("process.pid");
    common("service.name", "serviceName");
    common("service.version", "serviceVersion");
    common("service.instance.id", "serviceNodeName");
    common("deployment.environment.name", "serviceEnvironment");
    common("host.name", "host");
    addEnvironment(environment);
  }

  /** As OpenTelemetry's libraries read it; what is configured here comes first. */
  private void addEnvironment(Map<String, String> environment) {
    resource("service.name", environment.get("OTEL_SERVICE_NAME"));
    for (String pair : environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "").split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        resource(pair.substring(0, equals).trim(), decoded(pair.substring(equals + 1).trim()));
      }
    }
  }

  private void resource(String name, @Nullable String value) {
    if (!isTaken(name) && !settings.fields().containsKey(name)) {
      constant(name, value);
    }
  }

  private static String decoded(String percent) {
    try {
      return URLDecoder.decode(percent.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      return percent;
    }
  }

  private static byte[] ascii(String json) {
    return json.replace('\'', '"').getBytes(US_ASCII);
  }

  @Override
  void begin(ILoggingEvent event, JsonLine line) {
    line.literal(RESOURCE);
    line.literal(constants(), 1, constants().length - 1); // without the first comma
    line.literal(SCOPE);
    line.string(String.valueOf(event.getLoggerName()));
    line.literal(RECORD);
    writeOwn(event, line);
  }

  @Override
  void writeOwn(ILoggingEvent event, JsonLine line) {
    Instant time = timeOf(event);
    writeTime(time, line);
    line.literal(OBSERVED);
    writeTime(time, line);
    Level level = event.getLevel();
    line.literal(SEVERITY);
    line.decimal(level == null ? 0 : OtelFields.severityOf(level));
    line.field(SEVERITY_TEXT, level == null ? null : level.toString());
    String message = event.getFormattedMessage();
    if (message != null) {
      line.literal(BODY);
      line.values.writeTyped(message);
    }
    line.literal(ATTRIBUTES);
    line.literal(THREAD);
    line.values.writeTyped(String.valueOf(event.getThreadName()));
    line.ascii('}');
    IThrowableProxy throwable = event.getThrowableProxy();
    if (throwable != null) {
      text(exceptionType, throwable.getClassName(), line);
      text(exceptionMessage, throwable.getMessage(), line);
      writeStackTrace(stackTrace, null, event, line);
      line.literal(TEXT_END);
    }
  }

  private static void writeTime(Instant time, JsonLine line) {
    long second = time.getEpochSecond();
    int nanos = time.getNano();
    if (second > 0) {
      line.decimal(Math.min(OtelFields.LAST_SECOND, second));
      line.decimal(nanos, NANOS_DIGITS);
    } else {
      line.decimal(second == 0 ? nanos : 0);
    }
  }

  @Override
  void end(Map<String, String> mdc, JsonLine line) {
    line.ascii(']');
    String trace = key(mdc, "trace_id", "traceId", TRACE_DIGITS);
    if (trace != null) {
      line.field(TRACE_ID, mdc.get(trace));
      String span = key(mdc, "span_id", "spanId", SPAN_DIGITS);
      line.field(SPAN_ID, span == null ? null : mdc.get(span));
      String flags = mdc.get("trace_flags");
      if (flags != null && isOwn("trace_flags", mdc)) {
        line.literal(FLAGS);
        line.decimal(Integer.parseInt(flags, HEX));
      }
    }
    line.literal(END);
  }

  @Override
  Map<String, String> identifiers(Map<String, String> mdc, List<KeyValuePair> pairs) {
    if (pairs.isEmpty() || key(mdc, "trace_id", "traceId", TRACE_DIGITS) != null) {
      return mdc;
    }
    Map<String, String> texts = OtelFields.texts(pairs);
    return key(texts, "trace_id", "traceId", TRACE_DIGITS) == null ? mdc : texts;
  }

  @Override
  boolean isOwn(String mdcKey, Map<String, String> mdc) {
    return switch (mdcKey) {
      case "trace_id", "traceId" -> mdcKey.equals(key(mdc, "trace_id", "traceId", TRACE_DIGITS));
      case "span_id", "spanId" ->
          mdcKey.equals(key(mdc, "span_id", "spanId", SPAN_DIGITS))
              && key(mdc, "trace_id", "traceId", TRACE_DIGITS) != null;
      case "trace_flags" ->
          OtelFields.isIdentifier(mdc.get(mdcKey), FLAGS_DIGITS, true)
              && isIncluded(mdcKey, "")
              && key(mdc, "trace_id", "traceId", TRACE_DIGITS) != null;
      default -> false;
    };
  }

  /** The key, OpenTelemetry's or Micrometer's, whose value is an identifier; null if none is. */
  private @Nullable String key(
      Map<String, String> mdc, String underscored, String camelCase, int digits) {
    if (OtelFields.isIdentifier(mdc.get(underscored), digits, false)
        && isIncluded(underscored, "")) {
      return underscored;
    }
    return OtelFields.isIdentifier(mdc.get(camelCase), digits, false) && isIncluded(camelCase, "")
        ? camelCase
        : null;
  }

  @Override
  byte[] textName(String name) {
    JsonLine line = new JsonLine();
    line.literal(KEY);
    line.string(name);
    line.literal(VALUE);
    line.literal(Values.STRING);
    return line.end();
  }

  @Override
  void text(byte[] textName, @Nullable String text, JsonLine line) {
    if (text != null) {
      line.field(textName, text);
      line.literal(TEXT_END);
    }
  }

  @Override
  void field(String name, @Nullable Object value, JsonLine line) {
    line.literal(KEY);
    line.string(name);
    line.literal(VALUE);
    line.values.writeTyped(value);
    line.ascii('}');
  }

  @Override
  boolean areConstantsApart() {
    return true;
  }

  @Override
  String tagsName() {
    return "logback.marker"; // as OpenTelemetry's appender for Logback
  }

  @Override
  void tag(String name, JsonLine line) {
    if (line.tags == 0) {
      line.literal(MARKERS);
      line.literal(MARKERS_BEGIN);
    } else {
      line.ascii(',');
    }
    line.values.writeTyped(name);
  }

  @Override
  void endTags(JsonLine line) {
    line.literal(MARKERS_END);
  }

  @Override
  boolean isLegal(String name) {
    return !name.isEmpty() && !name.equals("thread.name");
  }
}
