package dev.forebay.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.lang.reflect.Array;
import java.time.temporal.TemporalAccessor;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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

  /** Of Logback's MDC, which makes another map for each change. */
  private static final Class<?> READ_ONLY = Collections.unmodifiableMap(Map.of()).getClass();

  private static final int KEPT_MAPS = 64;

  /**
   * By the name of a thread, whose events share their map as long as its MDC is the same: to look
   * at the names again would be half of what an event costs. Any thread writes; a map is right or
   * is another one.
   */
  private final @Nullable Object[] withoutSecrets = new @Nullable Object[KEPT_MAPS];

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
    @Nullable Object[] arguments = event.getArgumentArray();
    for (int i = 0; arguments != null && i < arguments.length; i++) {
      if (!isSimple(arguments[i])) {
        return true;
      }
    }
    List<Marker> markers = event.getMarkerList();
    return fields != null && markers != null && !markers.isEmpty() && fields.isAnyOf(markers);
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
    if (known != null && mdc != null && !mdc.isEmpty() && hasSecret(mdc, known, event)) {
      return true;
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

  private boolean hasSecret(Map<String, String> mdc, KeyRules known, ILoggingEvent event) {
    String thread = event.getThreadName();
    int slot = thread == null ? 0 : thread.hashCode() & KEPT_MAPS - 1;
    if (withoutSecrets[slot] == mdc) {
      return false;
    }
    Search search = new Search(known);
    mdc.forEach(search);
    if (!search.found && mdc.getClass() == READ_ONLY) {
      withoutSecrets[slot] = mdc;
    }
    return search.found;
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
    boolean isNewText = newArguments != arguments || isChangedSince(event, arguments);
    if (isSame && !isNewText && texts == null) {
      return event;
    }
    return new RedactedEvent(
        event,
        newMdc,
        newPairs,
        newArguments,
        isNewText,
        newMarkers,
        texts == null ? text -> text : texts);
  }

  /** Whether a map or the like had other content when the call made the text: perhaps a secret. */
  private boolean isChangedSince(ILoggingEvent event, @Nullable Object @Nullable [] arguments) {
    boolean mayChange = false;
    for (int i = 0; names != null && arguments != null && i < arguments.length; i++) {
      mayChange |= isContainer(arguments[i]);
    }
    return mayChange
        && !Objects.equals(
            event.getFormattedMessage(), RedactedEvent.format(event.getMessage(), arguments));
  }

  private Map<String, String> mdc(Map<String, String> mdc) {
    Map<String, String> redacted = new LinkedHashMap<>();
    boolean isSame = true;
    for (Map.Entry<String, String> each : mdc.entrySet()) {
      String name = text(each.getKey());
      String value = named(each.getKey()) ? Redactor.MASK : text(each.getValue());
      isSame &= name == each.getKey() && value == each.getValue();
      redacted.put(name, value);
    }
    return isSame ? mdc : redacted;
  }

  /** Whether it is the name of a secret, which counts. */
  boolean named(@Nullable Object name) {
    int rule = names == null || name == null ? -1 : names.of(name.toString());
    if (rule >= 0) {
      counting.accept(rule);
    }
    return rule >= 0;
  }

  private @Nullable String text(@Nullable String text) {
    return texts == null || text == null ? text : texts.apply(text);
  }

  private List<KeyValuePair> pairs(List<KeyValuePair> pairs) {
    List<KeyValuePair> changed = null;
    for (int i = 0; i < pairs.size(); i++) {
      KeyValuePair pair = pairs.get(i);
      String name = pair == null ? null : text(pair.key);
      Object redacted = pair == null ? null : valueOf(pair.key, pair.value);
      if (pair != null && (name != pair.key || redacted != pair.value)) {
        changed = changed == null ? new ArrayList<>(pairs) : changed;
        changed.set(i, new KeyValuePair(name, redacted));
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
              : value(argument);
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
      if (redacted != null && !redacted.equals(shown)) {
        changed = changed == markers ? new ArrayList<>(markers) : changed;
        changed.set(i, MarkerFactory.getDetachedMarker(redacted));
      }
    }
    return changed;
  }

  /** The value of a name. */
  @Nullable Object valueOf(@Nullable Object name, @Nullable Object value) {
    return named(name) ? Redactor.MASK : value(value);
  }

  private @Nullable Object value(@Nullable Object value) {
    try {
      return value(value, DEPTH);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return Redactor.MASK; // foreign code has thrown, or another thread changes the map
    }
  }

  private @Nullable Object value(@Nullable Object value, int depth) {
    if (value instanceof String text) {
      return text(text);
    }
    if (value != null && isContainer(value)) {
      return depth == 0 ? Redactor.MASK : container(value, depth - 1);
    }
    if (value == null || texts == null) {
      return value;
    }
    String shown = value.toString();
    String redacted = shown == null ? null : text(shown);
    return Objects.equals(redacted, shown) ? value : redacted;
  }

  private static boolean isContainer(@Nullable Object value) {
    return value instanceof Map<?, ?>
        || value instanceof Collection<?>
        || value instanceof Map.Entry<?, ?>
        || (value != null && value.getClass().isArray());
  }

  private @Nullable Object container(Object value, int depth) {
    if (value instanceof Map<?, ?> map) {
      return map(map, depth);
    }
    if (value instanceof Map.Entry<?, ?> entry) {
      return entry(entry, depth);
    }
    return value instanceof Collection<?> all ? collection(all, depth) : array(value, depth);
  }

  private Object map(Map<?, ?> map, int depth) {
    Map<@Nullable Object, @Nullable Object> redacted = new LinkedHashMap<>();
    boolean isSame = true;
    for (Map.Entry<?, ?> each : map.entrySet()) {
      Map.Entry<?, ?> made = entry(each, depth);
      isSame &= made == each;
      redacted.put(made.getKey(), made.getValue());
    }
    return isSame ? map : redacted;
  }

  private Map.Entry<?, ?> entry(Map.Entry<?, ?> entry, int depth) {
    Object key = entry.getKey();
    Object value = entry.getValue();
    Object name = texts == null ? key : value(key, depth);
    Object redacted = named(key) ? Redactor.MASK : value(value, depth);
    return name == key && redacted == value
        ? entry
        : new AbstractMap.SimpleImmutableEntry<>(name, redacted);
  }

  /** Of characters and bytes, their text; of others, which is a list then, its elements. */
  private @Nullable Object array(Object array, int depth) {
    if (array instanceof char[] || array instanceof byte[]) {
      String text =
          array instanceof byte[] bytes
              ? new String(bytes, ISO_8859_1)
              : new String((char[]) array);
      String redacted = text(text);
      return redacted == text ? array : redacted;
    }
    List<@Nullable Object> all = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      all.add(Array.get(array, i));
    }
    Object redacted = collection(all, depth);
    return redacted == all ? array : redacted;
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
