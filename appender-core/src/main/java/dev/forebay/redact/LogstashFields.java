package dev.forebay.redact;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Markers and structured arguments of logstash-logback-encoder, where it is on the class path. What
 * cannot be looked into is kept as it is: an encoder of JSON writes its fields, which the line is
 * searched for. Any thread.
 */
@SuppressWarnings("ReferenceEquality") // the same object: nothing was replaced
final class LogstashFields {

  private static final String LIBRARY = "net.logstash.logback.";

  /** Markers that refer to each other must end. */
  private static final int MOST_MARKERS = 64;

  private final Class<?> argument;
  private final Class<?> marker;
  private final Class<?> single;
  private final Method name;
  private final Method value;
  private final Constructor<?> newSingle;
  private final Field entries;
  private final Constructor<?> newEntries;

  private LogstashFields(ClassLoader loader) throws ReflectiveOperationException {
    argument = Class.forName(LIBRARY + "argument.StructuredArgument", false, loader);
    marker = Class.forName(LIBRARY + "marker.LogstashMarker", false, loader);
    single = Class.forName(LIBRARY + "marker.SingleFieldAppendingMarker", false, loader);
    name = single.getMethod("getFieldName");
    value = single.getDeclaredMethod("getFieldValue");
    value.setAccessible(true);
    Class<?> object = Class.forName(LIBRARY + "marker.ObjectAppendingMarker", false, loader);
    newSingle = object.getConstructor(String.class, Object.class, String.class);
    Class<?> map = Class.forName(LIBRARY + "marker.MapEntriesAppendingMarker", false, loader);
    entries = map.getDeclaredField("map");
    entries.setAccessible(true);
    newEntries = map.getConstructor(Map.class);
  }

  /** Null if the library is not there. */
  static @Nullable LogstashFields find(ClassLoader loader) {
    try {
      return new LogstashFields(loader);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  boolean isArgument(@Nullable Object argumentOfCall) {
    return argument.isInstance(argumentOfCall);
  }

  /** Whether one of them, or one that it refers to, has fields. */
  boolean isAnyOf(List<Marker> markers) {
    List<Marker> all = new ArrayList<>();
    markers.forEach(each -> collect(each, all));
    return all.stream().anyMatch(marker::isInstance);
  }

  private void collect(@Nullable Marker of, List<Marker> all) {
    if (of != null && all.size() < MOST_MARKERS) {
      all.add(of);
      for (Iterator<Marker> references = of.iterator(); references.hasNext(); ) {
        collect(references.next(), all);
      }
    }
  }

  /** The argument or marker without secrets; of a marker, without those that it refers to. */
  Object redact(Object part, EventRedaction values) {
    try {
      if (single.isInstance(part)) {
        String field = (String) name.invoke(part);
        Object of = value.invoke(part);
        Object redacted = values.valueOf(field, of);
        return redacted == of ? part : single(field, redacted, part);
      }
      if (entries.getDeclaringClass().isInstance(part)) {
        Object map = entries.get(part);
        Object redacted = values.valueOf(null, map);
        return redacted == map ? part : newEntries.newInstance(redacted);
      }
      return part;
    } catch (ReflectiveOperationException e) { // its own code has thrown
      return Redactor.MASK;
    }
  }

  private Object single(@Nullable String field, @Nullable Object redacted, Object part)
      throws ReflectiveOperationException {
    boolean hasName = part.toString().startsWith(field + "=");
    return newSingle.newInstance(field, redacted, hasName ? "{0}={1}" : "{1}");
  }

  /** The same list if nothing is to be replaced; else one of markers that refer to none. */
  List<Marker> redact(List<Marker> markers, EventRedaction values) {
    List<Marker> all = new ArrayList<>();
    markers.forEach(each -> collect(each, all));
    List<Marker> redacted = new ArrayList<>();
    boolean isSame = true;
    for (Marker each : all) {
      Object made = marker.isInstance(each) ? redact(each, values) : each;
      isSame &= made == each;
      if (made instanceof Marker kept && (made != each || !each.hasReferences())) {
        redacted.add(kept);
      } else if (made == each && single.isInstance(each)) {
        add(each, redacted);
      }
    }
    return isSame ? markers : redacted;
  }

  /** Adds a copy that does not refer to others. */
  private void add(Marker of, List<Marker> to) {
    try {
      to.add((Marker) single((String) name.invoke(of), value.invoke(of), of));
    } catch (ReflectiveOperationException e) {
      // Without this field nothing else is lost.
    }
  }
}
