package dev.forebay.redact;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Replaces values of secret names in events and, if it searches texts, what is found in those. Of
 * what does not change it returns the same object. Any thread.
 */
@SuppressWarnings("ReferenceEquality") // the same object: nothing was replaced
final class EventRedaction {

  /** Maps that contain themselves must end. */
  private static final int DEPTH = 8;

  /** Looks for the name of a secret: a map's own loop takes half of an iterator's time. */
  private static final class Search implements BiConsumer<String, String> {

    private final KeyRules names;
    private boolean found;

    Search(KeyRules names) {
      this.names = names;
    }

    @Override
    public void accept(String name, String value) {
      found |= names.of(name) >= 0;
    }
  }

  private final @Nullable KeyRules names;

  /** Null if texts are not searched. */
  private final @Nullable UnaryOperator<String> texts;

  private final @Nullable LogstashFields fields;
  private final IntConsumer counting;

  EventRedaction(
      @Nullable KeyRules names,
      @Nullable UnaryOperator<String> texts,
      @Nullable LogstashFields fields,
      IntConsumer counting) {
    this.names = names;
    this.texts = texts;
    this.fields = fields;
    this.counting = counting;
  }

  /** Whether an encoder may write fields of objects, of which the event does not show the names. */
  boolean hasObjects(ILoggingEvent event) {
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    for (int i = 0; pairs != null && i < pairs.size(); i++) {
      KeyValuePair pair = pairs.get(i);
      if (pair != null && !isSimple(pair.value)) {
        return true;
      }
    }
    LogstashFields known = fields;
    if (known == null) {
      return false;
    }
    @Nullable Object[] arguments = event.getArgumentArray();
    for (int i = 0; arguments != null && i < arguments.length; i++) {
      if (known.isArgument(arguments[i])) {
        return true;
      }
    }
    List<Marker> markers = event.getMarkerList();
    return markers != null && !markers.isEmpty() && known.isAnyOf(markers);
  }

  private static boolean isSimple(@Nullable Object value) {
    return value == null
        || value instanceof String
        || value instanceof Number
        || value instanceof CharSequence
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof Enum
        || value instanceof TemporalAccessor
        || value instanceof UUID;
  }

  /** Whether a name is that of a secret, or there are values that may have names. Fast. */
  boolean mayFind(ILoggingEvent event) {
    KeyRules known = names;
    Map<String, String> mdc = event.getMDCPropertyMap();
    if (known != null && mdc != null && !mdc.isEmpty()) {
      Search search = new Search(known);
      mdc.forEach(search);
      if (search.found) {
        return true;
      }
    }
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    for (int i = 0; known != null && pairs != null && i < pairs.size(); i++) {
      KeyValuePair pair = pairs.get(i);
      if (pair != null && (known.of(pair.key) >= 0 || !isSimple(pair.value))) {
        return true;
      }
    }
    @Nullable Object[] arguments = event.getArgumentArray();
    for (int i = 0; arguments != null && i < arguments.length; i++) {
      if (!isSimple(arguments[i])) {
        return true;
      }
    }
    List<Marker> markers = event.getMarkerList();
    return markers != null && !markers.isEmpty();
  }

  ILoggingEvent of(ILoggingEvent event) {
    Map<String, String> mdc = event.getMDCPropertyMap();
    Map<String, String> newMdc = mdc == null || mdc.isEmpty() ? mdc : mdc(mdc);
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    List<KeyValuePair> newPairs = pairs == null || pairs.isEmpty() ? pairs : pairs(pairs);
    @Nullable Object @Nullable [] arguments = event.getArgumentArray();
    @Nullable Object @Nullable [] newArguments = arguments == null ? null : arguments(arguments);
    List<Marker> markers = event.getMarkerList();
    List<Marker> newMarkers = markers == null || markers.isEmpty() ? markers : markers(markers);
    boolean isSame =
        newMdc == mdc && newPairs == pairs && newArguments == arguments && newMarkers == markers;
    if (isSame && texts == null) {
      return event;
    }
    return new RedactedEvent(
        event,
        newMdc,
        newPairs,
        newArguments,
        newArguments != arguments,
        newMarkers,
        texts == null ? text -> text : texts);
  }

  private Map<String, String> mdc(Map<String, String> mdc) {
    Map<String, String> changed = null;
    for (Map.Entry<String, String> each : mdc.entrySet()) {
      String value = each.getValue();
      String redacted = named(each.getKey()) ? Redactor.MASK : value == null ? null : text(value);
      if (redacted != value) {
        changed = changed == null ? new LinkedHashMap<>(mdc) : changed;
        changed.put(each.getKey(), redacted);
      }
    }
    return changed == null ? mdc : changed;
  }

  /** Whether it is the name of a secret, which counts. */
  boolean named(@Nullable Object name) {
    int rule = names == null || name == null ? -1 : names.of(name.toString());
    if (rule >= 0) {
      counting.accept(rule);
    }
    return rule >= 0;
  }

  private String text(String text) {
    return texts == null ? text : texts.apply(text);
  }

  private List<KeyValuePair> pairs(List<KeyValuePair> pairs) {
    List<KeyValuePair> changed = null;
    for (int i = 0; i < pairs.size(); i++) {
      KeyValuePair pair = pairs.get(i);
      Object redacted = pair == null ? null : valueOf(pair.key, pair.value);
      if (pair != null && redacted != pair.value) {
        changed = changed == null ? new ArrayList<>(pairs) : changed;
        changed.set(i, new KeyValuePair(pair.key, redacted));
      }
    }
    return changed == null ? pairs : changed;
  }

  private @Nullable Object @Nullable [] arguments(@Nullable Object[] arguments) {
    @Nullable Object[] changed = null;
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      Object redacted =
          fields != null && fields.isArgument(argument)
              ? fields.redact(Objects.requireNonNull(argument), this)
              : value(argument, DEPTH);
      if (redacted != argument) {
        changed = changed == null ? arguments.clone() : changed;
        changed[i] = redacted;
      }
    }
    return changed == null ? arguments : changed;
  }

  private List<Marker> markers(List<Marker> markers) {
    List<Marker> changed = fields == null ? markers : fields.redact(markers, this);
    if (texts == null) {
      return changed;
    }
    for (int i = 0; i < changed.size(); i++) {
      String shown = String.valueOf(changed.get(i));
      String redacted = text(shown);
      if (!redacted.equals(shown)) {
        changed = changed == markers ? new ArrayList<>(markers) : changed;
        changed.set(i, MarkerFactory.getDetachedMarker(redacted));
      }
    }
    return changed;
  }

  /** The value of a name. */
  @Nullable Object valueOf(@Nullable Object name, @Nullable Object value) {
    return named(name) ? Redactor.MASK : value(value, DEPTH);
  }

  private @Nullable Object value(@Nullable Object value, int depth) {
    if (value instanceof String text) {
      return text(text);
    }
    if (value instanceof Map<?, ?> map) {
      return depth == 0 ? Redactor.MASK : map(map, depth - 1);
    }
    if (value instanceof Collection<?> all) {
      return depth == 0 ? Redactor.MASK : collection(all, depth - 1);
    }
    if (value == null || texts == null) {
      return value;
    }
    String shown = value.toString();
    String redacted = shown == null ? null : text(shown);
    return Objects.equals(redacted, shown) ? value : redacted;
  }

  private Object map(Map<?, ?> map, int depth) {
    Map<@Nullable Object, @Nullable Object> changed = null;
    for (Map.Entry<?, ?> each : map.entrySet()) {
      Object value = each.getValue();
      Object redacted = named(each.getKey()) ? Redactor.MASK : value(value, depth);
      if (redacted != value) {
        changed = changed == null ? new LinkedHashMap<>(map) : changed;
        changed.put(each.getKey(), redacted);
      }
    }
    return changed == null ? map : changed;
  }

  private Object collection(Collection<?> all, int depth) {
    List<@Nullable Object> redacted = new ArrayList<>(all.size());
    boolean isSame = true;
    for (Object each : all) {
      Object made = value(each, depth);
      isSame &= made == each;
      redacted.add(made);
    }
    return isSame ? all : redacted;
  }
}
