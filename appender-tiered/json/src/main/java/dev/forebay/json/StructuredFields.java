package dev.forebay.json;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/**
 * Fields that markers and structured arguments of logstash-logback-encoder write, where it is on
 * the class path. Its version 8 writes to Jackson 2, version 9 to Jackson 3, whose methods have the
 * same names: by reflection. Jackson is loaded for the first such field. Any thread.
 */
final class StructuredFields {

  private static final String LIBRARY = "net.logstash.logback.";

  private final Class<?> argument;
  private final Class<?> marker;

  /** Of the first field. */
  private volatile @Nullable Jackson jackson;

  private StructuredFields(ClassLoader loader) throws ClassNotFoundException {
    argument = Class.forName(LIBRARY + "argument.StructuredArgument", false, loader);
    marker = Class.forName(LIBRARY + "marker.LogstashMarker", false, loader);
  }

  /** Null if the library is not there. */
  static @Nullable StructuredFields find(ClassLoader loader) {
    try {
      return new StructuredFields(loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** Whether a marker is of fields, and so is no tag. */
  boolean isOfFields(Marker of) {
    return marker.isInstance(of);
  }

  /** The pairs, the fields of markers and those of arguments; of one name, the last counts. */
  List<KeyValuePair> of(ILoggingEvent event, List<KeyValuePair> pairs) {
    @Nullable Object @Nullable [] arguments = event.getArgumentArray();
    List<Marker> markers = event.getMarkerList();
    if (markers == null && (arguments == null || !hasStructured(arguments))) {
      return pairs; // nearly always
    }
    List<Object> found = new ArrayList<>();
    try {
      for (Marker each : Objects.requireNonNullElse(markers, List.<Marker>of())) {
        collect(each, found, LineFormat.MOST_MARKERS);
      }
    } catch (Throwable e) {
      // Foreign code threw; the fields before it are written.
    }
    for (Object each : Objects.requireNonNullElse(arguments, new Object[0])) {
      if (argument.isInstance(each)) {
        found.add(each);
      }
    }
    if (found.isEmpty()) {
      return pairs;
    }
    List<KeyValuePair> all = new ArrayList<>(pairs);
    for (Object each : found) {
      add(each, all);
    }
    return all;
  }

  private boolean hasStructured(@Nullable Object[] arguments) {
    for (Object each : arguments) {
      if (argument.isInstance(each)) {
        return true;
      }
    }
    return false;
  }

  /** With those that it refers to; returns how many more may be looked at. */
  private int collect(@Nullable Marker of, List<Object> found, int more) {
    if (of == null || more == 0) {
      return more;
    }
    if (isOfFields(of)) {
      found.add(of);
    }
    int left = more - 1;
    for (Iterator<Marker> references = of.iterator(); left > 0 && references.hasNext(); ) {
      left = collect(references.next(), found, left);
    }
    return left;
  }

  private void add(Object part, List<KeyValuePair> to) {
    try {
      for (Map.Entry<?, ?> field : jackson().fields(part).entrySet()) {
        Object value = Objects.requireNonNullElse(field.getValue(), Values.NOTHING);
        to.add(new KeyValuePair(String.valueOf(field.getKey()), value));
      }
    } catch (Throwable e) { // foreign code, or raw JSON that is none
      Throwable why =
          e instanceof InvocationTargetException ? Objects.requireNonNullElse(e.getCause(), e) : e;
      String name = part.getClass().getSimpleName();
      to.add(new KeyValuePair(name, Values.failed("fields of " + part.getClass().getName(), why)));
    }
  }

  private Jackson jackson() throws ReflectiveOperationException {
    Jackson known = jackson;
    if (known == null) { // twice at once does no harm
      known = new Jackson(argument, marker);
      jackson = known;
    }
    return known;
  }

  /** Turns what is written to a generator into a map. */
  private static final class Jackson {

    private final Class<?> argument;
    private final Method writeArgument;
    private final Method writeMarker;
    private final Object mapper;
    private final Method createGenerator;
    private final Method readValue;
    private final Method start;
    private final Method end;
    private final Method close;

    Jackson(Class<?> argument, Class<?> marker) throws ReflectiveOperationException {
      this.argument = argument;
      Class<?> generator = generator(argument);
      String root = generator.getName().replace("core.JsonGenerator", "databind.");
      writeArgument = argument.getMethod("writeTo", generator);
      writeMarker = marker.getMethod("writeTo", generator);
      start = generator.getMethod("writeStartObject");
      end = generator.getMethod("writeEndObject");
      close = generator.getMethod("close");
      ClassLoader loader = argument.getClassLoader();
      Class<?> type = Class.forName(root + "json.JsonMapper", true, loader);
      Object builder = type.getMethod("builder").invoke(null);
      set(
          builder,
          Class.forName(root + "SerializationFeature", true, loader),
          "FAIL_ON_EMPTY_BEANS",
          false);
      set(
          builder,
          Class.forName(root + "DeserializationFeature", true, loader),
          "USE_BIG_DECIMAL_FOR_FLOATS",
          true);
      builder.getClass().getMethod("findAndAddModules").invoke(builder);
      mapper = builder.getClass().getMethod("build").invoke(builder);
      createGenerator = type.getMethod("createGenerator", OutputStream.class);
      readValue = type.getMethod("readValue", byte[].class, Class.class);
    }

    private static Class<?> generator(Class<?> argument) throws NoSuchMethodException {
      for (Method method : argument.getMethods()) {
        if (method.getName().equals("writeTo") && method.getParameterCount() == 1) {
          return method.getParameterTypes()[0];
        }
      }
      throw new NoSuchMethodException("writeTo");
    }

    private static void set(Object builder, Class<?> feature, String name, boolean to)
        throws ReflectiveOperationException {
      Object of = feature.getField(name).get(null);
      builder.getClass().getMethod("configure", feature, boolean.class).invoke(builder, of, to);
    }

    Map<?, ?> fields(Object part) throws ReflectiveOperationException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      Object generator = createGenerator.invoke(mapper, bytes);
      start.invoke(generator);
      (argument.isInstance(part) ? writeArgument : writeMarker).invoke(part, generator);
      end.invoke(generator);
      close.invoke(generator);
      return (Map<?, ?>) readValue.invoke(mapper, bytes.toByteArray(), Map.class);
    }
  }
}
