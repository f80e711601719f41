package dev.forebay.pipeline;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.CallerDataConverter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.pattern.DynamicConverter;
import ch.qos.logback.core.pattern.PatternLayoutBase;
import ch.qos.logback.core.pattern.parser.CompositeNode;
import ch.qos.logback.core.pattern.parser.Node;
import ch.qos.logback.core.pattern.parser.Parser;
import ch.qos.logback.core.pattern.parser.SimpleKeywordNode;
import ch.qos.logback.core.spi.ScanException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an encoder that depend, or may depend, on the thread that logs: words of a pattern,
 * or else classes of objects in its fields. Fields are searched in objects of classes that are
 * known to read the event only. Loads no class but those of conversion words, and so sees any
 * library's.
 */
public final class CallerWords {

  /** Packages of classes that only read the event; the fields of their objects are searched. */
  private static final List<String> KNOWN =
      List.of(
          "ch.qos.logback.",
          "net.logstash.logback.",
          "org.springframework.boot.",
          "co.elastic.logging.",
          "dev.forebay.json.",
          "dev.forebay.otlp.",
          "dev.forebay.tiered.encode.");

  /** Packages whose classes only run when other parts call them. */
  private static final List<String> PLAIN =
      List.of(
          "java",
          "jdk.",
          "sun.",
          "org.slf4j.",
          "org.springframework.",
          "tools.jackson.",
          "com.fasterxml.");

  private final List<String> asking = new ArrayList<>();
  private final List<String> foreign = new ArrayList<>();
  private final Set<String> classes = new TreeSet<>();

  private CallerWords() {}

  /** The words of an encoder that has been started. */
  public static CallerWords of(@Nullable Encoder<?> encoder) {
    CallerWords words = new CallerWords();
    if (encoder instanceof LayoutWrappingEncoder<?> wrapping
        && wrapping.getLayout() instanceof PatternLayoutBase<?> layout
        && layout.getPattern() != null) {
      try {
        Node first = new Parser<Object>(layout.getPattern()).parse();
        words.collect(first, layout.getEffectiveConverterMap());
      } catch (ScanException | RuntimeException e) { // a pattern or a converter that is refused
        words.asking.clear();
        words.foreign.clear();
      }
    }
    if (encoder != null && encoder.getClass() != PatternLayoutEncoder.class) {
      words.addParts(encoder);
    }
    return words;
  }

  /** The parts that ask for the caller: only the thread that logs can determine it. */
  public List<String> asking() {
    return asking;
  }

  /** The parts whose classes may read more than the event. */
  public List<String> foreign() {
    return foreign;
  }

  /** The classes of all parts of an encoder other than a pattern's. */
  public Set<String> classes() {
    return classes;
  }

  @SuppressWarnings("rawtypes") // as Logback declares them
  private void collect(@Nullable Node first, Map<String, Supplier<DynamicConverter>> converters) {
    for (Node node = first; node != null; node = node.getNext()) {
      Supplier<DynamicConverter> known = converters.get(String.valueOf(node.getValue()));
      if (node instanceof CompositeNode composite) {
        collect(composite.getChildNode(), converters);
      }
      if (node instanceof SimpleKeywordNode && known != null) {
        DynamicConverter<?> converter = known.get(); // null if its class cannot be loaded
        if (converter != null && asks(converter)) {
          asking.add("%" + node.getValue());
        }
        if (converter != null && isForeign(converter)) {
          foreign.add("%" + node.getValue());
        }
      }
    }
  }

  private void addParts(Encoder<?> encoder) {
    Set<String> partsAsking = new TreeSet<>();
    Set<String> partsForeign = new TreeSet<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<@Nullable Object> parts = new ArrayList<>(List.of(encoder));
    for (int i = 0; i < parts.size(); i++) {
      Object part = parts.get(i);
      boolean isOutside = part instanceof Context || part instanceof Appender;
      if (part == null || isOutside || !seen.add(part)) {
        continue;
      }
      classes.add(part.getClass().getName());
      if (part instanceof Object[] array) {
        parts.addAll(Arrays.asList(array));
      } else if (isForeign(part) && !part.getClass().isArray()) {
        partsForeign.add(part.getClass().getName().replaceFirst("\\$\\$Lambda.*", ""));
      } else if (asks(part)) {
        partsAsking.add(part.getClass().getSimpleName());
      } else if (part instanceof Collection<?> all) {
        parts.addAll(all);
      } else if (part instanceof Map<?, ?> map) {
        parts.addAll(map.values());
      }
      for (Class<?> type = part.getClass(); type != null; type = type.getSuperclass()) {
        if (isOf(KNOWN, type)) { // also for derived classes
          addFields(part, type, parts, partsAsking);
        }
      }
    }
    if (asking.isEmpty()) {
      asking.addAll(partsAsking);
    }
    if (foreign.isEmpty()) {
      foreign.addAll(partsForeign);
    }
  }

  private static void addFields(
      Object part, Class<?> type, List<@Nullable Object> parts, Set<String> asking) {
    try {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          if (!field.getType().isPrimitive()) {
            parts.add(field.get(part));
          } else if (field.getName().equals("includeOrigin") && field.getBoolean(part)) {
            asking.add(field.getName()); // Elastic's
          }
        }
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // Logback's in a named module, or one that can work without a library that is not there.
    }
  }

  private static boolean asks(Object part) {
    String type = part.getClass().getName();
    return part instanceof CallerDataConverter
        || type.endsWith("OfCallerConverter")
        || type.endsWith(".CallerDataJsonProvider");
  }

  private static boolean isForeign(Object part) {
    return !isOf(KNOWN, part.getClass()) && !isOf(PLAIN, part.getClass());
  }

  /** Whether a class is of one of the packages whose names begin so. */
  public static boolean isOf(List<String> packages, Class<?> type) {
    for (String name : packages) {
      if (type.getName().startsWith(name)) {
        return true;
      }
    }
    return false;
  }
}
