package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/**
 * The fields of a line. Each name is written once: the format's own field, else the static one,
 * else the last key-value pair, else the MDC's, else the context's. For any number of threads.
 */
abstract class LineFormat {

  /** Markers that refer to each other must end. */
  static final int MOST_MARKERS = 64;

  private static final String TAGS = "tags";
  private static final byte[] TAGS_BEGIN = (",\"" + TAGS + "\":[").getBytes(US_ASCII);

  private static final byte[] COMMA = {','};

  final LineSettings settings;

  private final ThrowableProxyConverter stackTraces;

  /** Whether markers are written, as {@code tags}. */
  private final boolean hasTags;

  /** Whether a key whose value is null is written. */
  private final boolean hasNulls;

  /** Names that every line has: fields of the format and static ones. */
  private final Set<String> taken = new HashSet<>();

  /** Names that lines with a throwable have. */
  private final Set<String> takenByThrowable = new HashSet<>();

  private final JsonLine constantFields = new JsonLine();

  /** Fields that are the same in all lines, as bytes. */
  private byte[] constants = {};

  LineFormat(
      LineSettings settings,
      ThrowableProxyConverter stackTraces,
      boolean hasTags,
      boolean hasNulls) {
    this.settings = settings;
    this.stackTraces = stackTraces;
    this.hasTags = hasTags;
    this.hasNulls = hasNulls;
    if (settings.maxStackTraceDepth() > 0) {
      stackTraces.setOptionList(List.of(String.valueOf(settings.maxStackTraceDepth())));
    }
    stackTraces.start();
  }

  /** Appends the format's own fields, the first without a comma before it. */
  abstract void writeOwn(ILoggingEvent event, JsonLine line);

  /** Appends what comes before tags, pairs and the MDC. */
  void begin(ILoggingEvent event, JsonLine line) {
    line.ascii('{');
    writeOwn(event, line);
    line.literal(constants);
  }

  /** Appends what comes after them. */
  void end(Map<String, String> mdc, JsonLine line) {
    line.ascii('}');
  }

  /** Whether the fields of all lines are not among the others, which may have the same names. */
  boolean areConstantsApart() {
    return false;
  }

  final boolean isTaken(String name) {
    return taken.contains(name);
  }

  final byte[] constants() {
    return constants;
  }

  /** Appends a field that is not the format's own. */
  void field(String name, @Nullable Object value, JsonLine line) {
    line.name(prefix(), name);
    line.values.write(value);
  }

  /** A name of the format's own, with what comes before its text. */
  byte[] textName(String name) {
    return JsonLine.name(name);
  }

  /** Appends a text of the format's own, nothing for null. */
  void text(byte[] textName, @Nullable String text, JsonLine line) {
    line.field(textName, text);
  }

  String tagsName() {
    return TAGS;
  }

  void tag(String name, JsonLine line) {
    line.literal(line.tags == 0 ? TAGS_BEGIN : COMMA);
    line.string(name);
  }

  void endTags(JsonLine line) {
    line.ascii(']');
  }

  /** Where the format finds the keys of its own: the MDC, or texts among the pairs. */
  Map<String, String> identifiers(Map<String, String> mdc, List<KeyValuePair> pairs) {
    return mdc;
  }

  /** Whether the format writes this key of the MDC as a field of its own. */
  boolean isOwn(String mdcKey, Map<String, String> mdc) {
    return false;
  }

  /** What the names of all fields but the format's own begin with. */
  String prefix() {
    return "";
  }

  /** The name without the prefix. */
  String withoutPrefix(String name) {
    return name;
  }

  boolean isLegal(String name) {
    return true;
  }

  /** Properties of the context that become fields. */
  Map<String, String> contextOf(ILoggingEvent event) {
    return Map.of();
  }

  /** Takes a name for the format; returns it as bytes. */
  final byte[] own(String name) {
    return take(name, taken);
  }

  final byte[] ownOfThrowable(String name) {
    return take(name, takenByThrowable);
  }

  private byte[] take(String name, Set<String> names) {
    if (name.startsWith(prefix())) {
      names.add(withoutPrefix(name));
    }
    return textName(name);
  }

  /** Adds a field to all lines, unless it has no value. */
  final void constant(String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      text(own(name), value, constantFields);
    }
  }

  /** The same, of what an element is configured to be. */
  final void common(String name, String element) {
    constant(name, settings.common().get(element));
  }

  final void processId(String name) {
    byte[] unused = own(name);
    field(withoutPrefix(name), ProcessHandle.current().pid(), constantFields);
  }

  /** Adds the static fields, after all of the format's own; returns the names that it refuses. */
  final List<String> addStaticFields() {
    Set<String> added = new HashSet<>();
    List<String> refused = new ArrayList<>();
    for (Map.Entry<String, String> field : settings.fields().entrySet()) {
      String name = withoutPrefix(field.getKey());
      if (!isFree(name, true, hasTags) || !added.add(name)) {
        refused.add(field.getKey());
      } else {
        field(name, field.getValue(), constantFields);
      }
    }
    if (areConstantsApart()) {
      taken.clear();
    } else {
      taken.addAll(added);
    }
    constants = constantFields.end();
    return refused;
  }

  private boolean isFree(String name, boolean hasThrowable, boolean hasTags) {
    return isLegal(name)
        && !taken.contains(name)
        && !(hasThrowable && takenByThrowable.contains(name))
        && !(hasTags && name.equals(tagsName()));
  }

  final void write(ILoggingEvent event, JsonLine line) {
    begin(event, line);
    line.hasThrowable = event.getThrowableProxy() != null;
    writeTags(hasTags ? event.getMarkerList() : null, line);
    List<KeyValuePair> pairs = Objects.requireNonNullElse(event.getKeyValuePairs(), List.of());
    StructuredFields structured = settings.structured();
    pairs = structured == null ? pairs : structured.of(event, pairs);
    Map<String, String> mdc = mdcOf(event);
    Map<String, String> ids = identifiers(mdc, pairs);
    writePairs(pairs, ids == mdc ? Map.of() : ids, line);
    writeMdc(mdc, pairs, line);
    writeContext(event, mdc, pairs, line);
    end(ids, line);
    line.ascii('\n');
  }

  private void writePairs(List<KeyValuePair> pairs, Map<String, String> ids, JsonLine line) {
    for (int i = 0; i < pairs.size(); i++) {
      String name = nameOf(pairs.get(i));
      if (name != null
          && isFree(name, line)
          && !isIn(pairs, i + 1, name)
          && !(ids.containsKey(name) && isOwn(name, ids))) {
        field(name, pairs.get(i).value, line);
      }
    }
  }

  private static Map<String, String> mdcOf(ILoggingEvent event) {
    try {
      return Objects.requireNonNullElse(event.getMDCPropertyMap(), Map.of());
    } catch (RuntimeException e) { // Logback's, of an event without a context or MDC adapter
      return Map.of();
    }
  }

  private void writeMdc(Map<String, String> mdc, List<KeyValuePair> pairs, JsonLine line) {
    if (mdc.isEmpty()) {
      return; // without an iterator
    }
    for (Map.Entry<String, String> entry : mdc.entrySet()) {
      String key = entry.getKey();
      if (isIncluded(key, entry.getValue()) && !isOwn(key, mdc)) {
        String name = withoutPrefix(key);
        boolean isTwice = !name.equals(key) && mdc.containsKey(name) && isIncluded(name, "");
        if (isFree(name, line) && !isIn(pairs, 0, name) && !isTwice) {
          field(name, entry.getValue(), line);
        }
      }
    }
  }

  private void writeContext(
      ILoggingEvent event, Map<String, String> mdc, List<KeyValuePair> pairs, JsonLine line) {
    Map<String, String> context = contextOf(event);
    if (context.isEmpty()) {
      return;
    }
    for (Map.Entry<String, String> entry : context.entrySet()) {
      String key = entry.getKey();
      String value = entry.getValue();
      if (key != null
          && value != null
          && !isIncluded(key, mdc.get(key))
          && isFree(key, line)
          && !isIn(pairs, 0, key)) {
        field(key, value, line);
      }
    }
  }

  private boolean isFree(String name, JsonLine line) {
    return isFree(name, line.hasThrowable, line.tags > 0);
  }

  final boolean isIncluded(@Nullable String mdcKey, @Nullable String value) {
    Set<String> included = settings.includedMdcKeys();
    return mdcKey != null
        && (value != null || hasNulls)
        && (included.isEmpty() || included.contains(mdcKey))
        && !settings.excludedMdcKeys().contains(mdcKey);
  }

  private boolean isIn(List<KeyValuePair> pairs, int from, String name) {
    for (int i = from; i < pairs.size(); i++) {
      if (name.equals(nameOf(pairs.get(i)))) {
        return true;
      }
    }
    return false;
  }

  /** Null for a pair that is not written. */
  private @Nullable String nameOf(@Nullable KeyValuePair pair) {
    if (pair == null || pair.key == null || (pair.value == null && !hasNulls)) {
      return null;
    }
    return withoutPrefix(pair.key);
  }

  private void writeTags(@Nullable List<Marker> markers, JsonLine line) {
    line.tags = 0;
    line.markers = 0;
    if (markers == null) {
      return;
    }
    int before = line.length();
    try {
      for (int i = 0; i < markers.size(); i++) {
        writeTag(markers.get(i), line);
      }
    } catch (Throwable e) { // foreign code
      line.truncate(before);
      line.tags = 0;
    }
    if (line.tags > 0) {
      endTags(line);
    }
  }

  /** Writes a marker and those that it refers to. */
  private void writeTag(@Nullable Marker marker, JsonLine line) {
    if (marker == null || line.markers++ >= MOST_MARKERS) {
      return;
    }
    StructuredFields structured = settings.structured();
    if (structured == null || !structured.isOfFields(marker)) {
      tag(marker.getName(), line);
      line.tags++;
    }
    for (Iterator<Marker> references = marker.iterator(); references.hasNext(); ) {
      writeTag(references.next(), line);
    }
  }

  /**
   * Writes a field with the stack trace, up to the limits.
   *
   * @param before what comes first, with an empty line after it; null for nothing
   */
  final void writeStackTrace(
      byte[] name, @Nullable String before, ILoggingEvent event, JsonLine line) {
    String trace = traceOf(event);
    int most = settings.maxStackTraceLength();
    int end = trace.length();
    if (most > 0 && end > most) {
      end = Math.max(0, most - JsonLine.CUT.length());
      end -= end > 0 && Character.isHighSurrogate(trace.charAt(end - 1)) ? 1 : 0;
    }
    line.literal(name);
    line.ascii('"');
    if (before != null) {
      line.escaped(before, before.length());
      line.escaped("\n\n", 2);
    }
    line.escaped(trace, end);
    line.text(end < trace.length() ? JsonLine.CUT : "");
    line.ascii('"');
  }

  private String traceOf(ILoggingEvent event) {
    try {
      return stackTraces.convert(event);
    } catch (Throwable e) { // no memory, for example
      return Values.failed("stack trace", e);
    }
  }

  /** Of an event that may have been made by hand. */
  static Instant timeOf(ILoggingEvent event) {
    Instant instant = event.getInstant();
    return instant == null ? Instant.ofEpochMilli(event.getTimeStamp()) : instant;
  }
}
