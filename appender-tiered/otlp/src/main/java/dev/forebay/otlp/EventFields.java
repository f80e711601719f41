package dev.forebay.otlp;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.forebay.pipeline.EventPart;
import dev.forebay.tiered.encode.OtelFields;
import dev.forebay.tiered.spool.Attributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/**
 * What a record in the spool has of an event besides its line.
 *
 * <pre>
 * 0 length of the logger's name, big-endian u16 | 2 name, UTF-8 | fields of a LogRecord
 * </pre>
 *
 * <p>The fields are all but the body, which is the line, and the attribute with the record's
 * identifier. Of attributes with one name, the last key-value pair counts, else the MDC's. One that
 * does not fit is left out and counted, a stack trace is cut.
 *
 * <p>For the flusher's thread, or a log call in its turn.
 */
final class EventFields {

  private static final int TIME = 1;
  private static final int SEVERITY = 2;
  private static final int SEVERITY_TEXT = 3;
  static final int ATTRIBUTES = 6;
  private static final int DROPPED = 7;
  private static final int FLAGS = 8;
  private static final int TRACE_ID = 9;
  private static final int SPAN_ID = 10;
  private static final int OBSERVED = 11;

  private static final int KEY = 1;
  private static final int VALUE = 2;

  private static final int TRACE_DIGITS = 32;
  private static final int SPAN_DIGITS = 16;
  private static final int FLAGS_DIGITS = 2;
  private static final int HEX = 16;

  private static final long NS_PER_S = 1_000_000_000;

  /** Of a name; longer ones are cut. */
  private static final int MOST_NAME_CHARS = 4096;

  /** Without the number of attributes left out, which comes last. */
  private static final int MOST_BYTES = Attributes.MAX_BYTES - 8;

  /** Markers that refer to each other must end. */
  private static final int MOST_MARKERS = 64;

  private static final String THREAD = "thread.name";
  private static final String EXCEPTION = "exception.";
  private static final String MARKER = "logback.marker";
  private static final String CUT = "...";

  private final ProtoWriter to = new ProtoWriter();
  private final AnyValue values = new AnyValue(to, MOST_BYTES);
  private final ThrowableProxyConverter stackTraces = new ThrowableProxyConverter();

  /** Attributes of this event that are left out. */
  private int dropped;

  EventFields() {
    stackTraces.start();
  }

  /** Of a record of our own. */
  byte[] encode(String logger, Instant time, Level level) {
    begin(logger, time, level);
    return to.toBytes();
  }

  private void begin(String logger, Instant time, @Nullable Level level) {
    to.clear();
    writeName(logger);
    writeTimes(time);
    if (level != null) {
      to.varint(SEVERITY, OtelFields.severityOf(level));
      to.string(SEVERITY_TEXT, level.toString());
    }
  }

  byte[] encode(ILoggingEvent event) {
    dropped = 0;
    begin(String.valueOf(event.getLoggerName()), timeOf(event), event.getLevel());
    Map<String, String> mdc = orElse(EventPart.of(event, any -> any.getMDCPropertyMap()), Map.of());
    List<KeyValuePair> pairs =
        orElse(EventPart.of(event, any -> any.getKeyValuePairs()), List.of());
    TraceKeys trace = TraceKeys.of(mdc);
    Map<String, String> traced = trace.trace() == null ? OtelFields.texts(pairs) : mdc;
    TraceKeys ofPairs = traced == mdc ? TraceKeys.NONE : TraceKeys.of(traced);
    writeTrace(traced == mdc ? trace : ofPairs, traced);
    attribute(THREAD, String.valueOf(event.getThreadName()));
    IThrowableProxy throwable = event.getThrowableProxy();
    if (throwable != null) {
      attribute(EXCEPTION + "type", throwable.getClassName());
      if (throwable.getMessage() != null) {
        attribute(EXCEPTION + "message", throwable.getMessage());
      }
    }
    boolean hasMarkers =
        writeMarkers(orElse(EventPart.of(event, any -> any.getMarkerList()), List.of()));
    Taken taken = new Taken(throwable != null, hasMarkers);
    writePairs(pairs, taken, ofPairs);
    for (Map.Entry<String, String> entry : mdc.entrySet()) {
      String key = entry.getKey();
      if (taken.isFree(key) && !trace.uses(key) && !isIn(pairs, 0, key)) {
        attribute(key, entry.getValue());
      }
    }
    if (throwable != null) {
      writeStackTrace(event);
    }
    if (dropped > 0) {
      to.varint(DROPPED, dropped);
    }
    return to.toBytes();
  }

  /** An encoded {@code Resource}. */
  static byte[] resource(Map<String, String> attributes) {
    ProtoWriter all = new ProtoWriter();
    attributes.forEach(
        (name, text) -> {
          int pair = all.begin(1);
          all.string(KEY, name);
          int value = all.begin(VALUE);
          all.string(AnyValue.STRING, text);
          all.end(value);
          all.end(pair);
        });
    return all.toBytes();
  }

  private static <T> T orElse(@Nullable T part, T otherwise) {
    return Objects.requireNonNullElse(part, otherwise);
  }

  private void writeName(String name) {
    to.ascii('\0');
    to.ascii('\0');
    to.text(name, 0, Math.min(MOST_NAME_CHARS, name.length()));
    int count = to.length() - Short.BYTES;
    to.bytes()[0] = (byte) (count >> Byte.SIZE);
    to.bytes()[1] = (byte) count;
  }

  /** Of an event that may have been made by hand. */
  private static Instant timeOf(ILoggingEvent event) {
    Instant instant = event.getInstant();
    return instant == null ? Instant.ofEpochMilli(event.getTimeStamp()) : instant;
  }

  private void writeTimes(Instant time) {
    long second = time.getEpochSecond();
    long ns = second < 0 ? 0 : Math.min(OtelFields.LAST_SECOND, second) * NS_PER_S + time.getNano();
    to.fixed64(TIME, ns);
    to.fixed64(OBSERVED, ns);
  }

  private void writeTrace(TraceKeys keys, Map<String, String> mdc) {
    if (keys.trace() != null) {
      to.bytes(TRACE_ID, HexFormat.of().parseHex(mdc.get(keys.trace())));
    }
    if (keys.span() != null) {
      to.bytes(SPAN_ID, HexFormat.of().parseHex(mdc.get(keys.span())));
    }
    if (keys.flags() != null) {
      to.fixed32(FLAGS, Integer.parseInt(mdc.get(keys.flags()), HEX));
    }
  }

  private void writePairs(List<KeyValuePair> pairs, Taken taken, TraceKeys trace) {
    for (int i = 0; i < pairs.size(); i++) {
      KeyValuePair pair = pairs.get(i);
      if (pair != null
          && taken.isFree(pair.key)
          && !trace.uses(pair.key)
          && !isIn(pairs, i + 1, pair.key)) {
        attribute(pair.key, pair.value);
      }
    }
  }

  private static boolean isIn(List<KeyValuePair> pairs, int from, String name) {
    for (int i = from; i < pairs.size(); i++) {
      if (pairs.get(i) != null && name.equals(pairs.get(i).key)) {
        return true;
      }
    }
    return false;
  }

  private void attribute(String name, @Nullable Object value) {
    int before = to.length();
    if (name.length() > MOST_BYTES - before) {
      dropped++;
      return;
    }
    int pair = to.begin(ATTRIBUTES);
    to.string(KEY, name);
    int in = to.begin(VALUE);
    boolean fits = values.write(value);
    to.end(in);
    to.end(pair);
    if (!fits || to.length() > MOST_BYTES) {
      to.truncate(before);
      dropped++;
    }
  }

  /** Whether there is a marker. */
  private boolean writeMarkers(List<Marker> markers) {
    if (markers.isEmpty()) {
      return false;
    }
    List<String> names = new ArrayList<>();
    try {
      for (Marker each : markers) {
        collect(each, names);
      }
    } catch (Throwable e) { // foreign code
      return false;
    }
    if (!names.isEmpty()) {
      attribute(MARKER, names);
    }
    return !names.isEmpty();
  }

  /** With those that it refers to. */
  private static void collect(@Nullable Marker of, List<String> names) {
    if (of == null || names.size() >= MOST_MARKERS) {
      return;
    }
    names.add(of.getName());
    for (Iterator<Marker> references = of.iterator(); references.hasNext(); ) {
      collect(references.next(), names);
    }
  }

  private void writeStackTrace(ILoggingEvent event) {
    String trace;
    try {
      trace = stackTraces.convert(event);
    } catch (Throwable e) { // no memory, for example
      trace = AnyValue.failed("stack trace", e);
    }
    String name = EXCEPTION + "stacktrace";
    int room = MOST_BYTES - to.length() - name.length() - HEX;
    int end = fitting(trace, room - CUT.length());
    attribute(name, end == trace.length() ? trace : trace.substring(0, end) + CUT);
  }

  /** How many characters of a text have at most so many bytes. */
  private static int fitting(String text, int bytes) {
    int left = bytes;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      left -= c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      if (left < 0) {
        return i > 0 && Character.isHighSurrogate(text.charAt(i - 1)) ? i - 1 : i;
      }
    }
    return text.length();
  }

  /** Names that fields of the event's own have. */
  private record Taken(boolean hasThrowable, boolean hasMarkers) {

    boolean isFree(@Nullable String name) {
      return name != null
          && !name.isEmpty()
          && !name.equals(THREAD)
          && !name.equals(LogRequest.UID)
          && !(hasMarkers && name.equals(MARKER))
          && !(hasThrowable
              && (name.equals(EXCEPTION + "type")
                  || name.equals(EXCEPTION + "message")
                  || name.equals(EXCEPTION + "stacktrace")));
    }
  }

  /**
   * The keys of an MDC, or of pairs, OpenTelemetry's or Micrometer's, whose values identify a
   * trace, with the span and the flags only then; null for what is missing.
   */
  private record TraceKeys(@Nullable String trace, @Nullable String span, @Nullable String flags) {

    private static final TraceKeys NONE = new TraceKeys(null, null, null);

    static TraceKeys of(Map<String, String> mdc) {
      String trace = mdc.isEmpty() ? null : key(mdc, "trace_id", "traceId", TRACE_DIGITS);
      if (trace == null) {
        return NONE;
      }
      String flags =
          OtelFields.isIdentifier(mdc.get("trace_flags"), FLAGS_DIGITS, true)
              ? "trace_flags"
              : null;
      return new TraceKeys(trace, key(mdc, "span_id", "spanId", SPAN_DIGITS), flags);
    }

    boolean uses(String key) {
      return key.equals(trace) || key.equals(span) || key.equals(flags);
    }

    private static @Nullable String key(
        Map<String, String> mdc, String underscored, String camelCase, int digits) {
      if (OtelFields.isIdentifier(mdc.get(underscored), digits, false)) {
        return underscored;
      }
      return OtelFields.isIdentifier(mdc.get(camelCase), digits, false) ? camelCase : null;
    }
  }
}
