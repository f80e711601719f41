package dev.forebay.pipeline;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.encoder.Encoder;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an encoder is made of: objects in the fields of its objects, as far as those are of classes
 * that are known to read the event only. Loads no class, and so sees any library's.
 */
final class EncoderParts {

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> left = new ArrayDeque<>();
  private final Set<String> foreign = new TreeSet<>();
  private final Set<String> asking = new TreeSet<>();

  private EncoderParts() {}

  /** Those of an encoder that has been started. */
  static EncoderParts of(Encoder<?> encoder) {
    EncoderParts parts = new EncoderParts();
    parts.add(encoder);
    for (Object next = parts.left.poll(); next != null; next = parts.left.poll()) {
      parts.look(next);
    }
    return parts;
  }

  /** The classes of which is not known what they read. */
  List<String> foreign() {
    return List.copyOf(foreign);
  }

  /** What asks an event for its caller. */
  List<String> asking() {
    return List.copyOf(asking);
  }

  private void add(@Nullable Object part) {
    boolean isOutside = part instanceof Context || part instanceof Appender;
    if (part != null && !isOutside && seen.add(part)) {
      left.add(part);
    }
  }

  private void look(Object part) {
    if (part instanceof Object[] array) {
      Arrays.asList(array).forEach(this::add);
    } else if (CallerWords.isForeign(part) && !part.getClass().isArray()) {
      foreign.add(part.getClass().getName().replaceFirst("\\$\\$Lambda.*", ""));
    } else if (CallerWords.asks(part)) {
      asking.add(part.getClass().getSimpleName());
    } else if (part instanceof Collection<?> all) {
      all.forEach(this::add);
    } else if (part instanceof Map<?, ?> map) {
      map.values().forEach(this::add);
    }
    for (Class<?> type = part.getClass(); type != null; type = type.getSuperclass()) {
      if (CallerWords.isKnown(type)) { // also of what somebody else derives from it
        lookInto(part, type);
      }
    }
  }

  private void lookInto(Object part, Class<?> type) {
    try {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          if (!field.getType().isPrimitive()) {
            add(field.get(part));
          } else if (field.getName().equals("includeOrigin") && field.getBoolean(part)) {
            asking.add(field.getName()); // Elastic's
          }
        }
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      // Logback's in a named module, or one that can work without a library that is not there.
    }
  }
}
