package dev.forebay.otlp;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Appends the fields of an {@code AnyValue}: those of numbers, booleans, bytes, collections, maps
 * and arrays of such, the text of any other object, none for null. The same as forebay-json writes
 * as OTLP. For one thread at a time.
 */
final class AnyValue {

  /** Objects may contain themselves. */
  private static final int MOST_DEPTH = 16;

  /** Of one value, with those inside. */
  private static final int MOST_VALUES = 10_000;

  private static final String CUT = "...";

  static final int STRING = 1;
  private static final int BOOLEAN = 2;
  private static final int INTEGER = 3;
  private static final int DOUBLE = 4;
  private static final int ARRAY = 5;
  private static final int LIST = 6;
  static final int BYTES = 7;

  private static final int VALUES = 1;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  /** Any number with fewer is a long. */
  private static final int LONG_DIGITS = 19;

  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]*)");

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");

  private final ProtoWriter to;

  /** Length of the writer up to which texts are appended; longer ones are left out. */
  private final int mostBytes;

  /** How many more are written of this one. */
  private int left;

  AnyValue(ProtoWriter to, int mostBytes) {
    this.to = to;
    this.mostBytes = mostBytes;
  }

  /** Whatever it is and whatever its methods do; false if it has more bytes than there may be. */
  boolean write(@Nullable Object value) {
    int before = to.length();
    left = MOST_VALUES;
    try {
      write(value, MOST_DEPTH);
    } catch (Throwable e) { // of a foreign collection, or one that another thread changes
      to.truncate(before);
      text(failed("content of " + Objects.requireNonNull(value).getClass().getName(), e));
    }
    return to.length() <= mostBytes;
  }

  private void write(@Nullable Object value, int depth) {
    if (to.length() > mostBytes) {
      left = -1; // it is left out as a whole
    } else if (--left < 0 || depth < 0) {
      text(CUT);
    } else if (value instanceof String text) {
      text(text);
    } else if (value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte) {
      to.varint(INTEGER, ((Number) value).longValue());
    } else if (value instanceof Boolean truth) {
      to.varint(BOOLEAN, truth ? 1 : 0);
    } else if (value instanceof Number) {
      number(value, textOf(value));
    } else if (value instanceof byte[] bytes) {
      if (fits(bytes.length)) {
        to.bytes(BYTES, bytes);
      }
    } else if (value instanceof char[] text) {
      text(new String(text));
    } else if (value instanceof Map<?, ?> map) {
      entries(map, depth - 1);
    } else if (value instanceof Collection<?> || (value != null && value.getClass().isArray())) {
      elements(value, depth - 1);
    } else if (value != null) {
      text(textOf(value));
    }
  }

  private void text(String text) {
    if (fits(text.length())) {
      to.string(STRING, text);
    }
  }

  /** Whether so many bytes may follow; if not, there are too many now. */
  private boolean fits(int count) {
    boolean fits = count <= mostBytes - to.length();
    if (!fits) {
      to.fill('\0', mostBytes - to.length() + 1);
      left = -1;
    }
    return fits;
  }

  /** What neither a long nor a double holds is a string. */
  private void number(Object number, String text) {
    if (number instanceof Double || number instanceof Float) {
      to.fixed64(DOUBLE, Double.doubleToRawLongBits(Double.parseDouble(text)));
    } else if (!NUMBER.matcher(text).matches()) {
      text(text);
    } else if (text.length() < LONG_DIGITS && WHOLE.matcher(text).matches()) {
      to.varint(INTEGER, Long.parseLong(text));
    } else {
      BigDecimal exact = new BigDecimal(text);
      double nearest = exact.doubleValue();
      if (!Double.isInfinite(nearest)
          && new BigDecimal(Double.toString(nearest)).compareTo(exact) == 0) {
        to.fixed64(DOUBLE, Double.doubleToRawLongBits(nearest));
      } else {
        text(text);
      }
    }
  }

  private void elements(Object all, int depth) {
    int array = to.begin(ARRAY);
    if (all instanceof Collection<?> collection) {
      for (Object each : collection) {
        element(each, depth);
        if (left < 0) {
          break;
        }
      }
    } else {
      for (int i = 0; i < Array.getLength(all) && left >= 0; i++) {
        element(Array.get(all, i), depth);
      }
    }
    to.end(array);
  }

  private void element(@Nullable Object each, int depth) {
    int element = to.begin(VALUES);
    write(each, depth);
    to.end(element);
  }

  private void entries(Map<?, ?> map, int depth) {
    int list = to.begin(LIST);
    Set<String> names = new HashSet<>(); // 1 and "1" are the same
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = textOf(entry.getKey());
      if (names.add(name) && fits(name.length())) {
        int pair = to.begin(VALUES);
        to.string(KEY, name);
        int value = to.begin(VALUE);
        write(entry.getValue(), depth);
        to.end(value);
        to.end(pair);
      }
      if (left < 0) {
        break;
      }
    }
    to.end(list);
  }

  private static String textOf(@Nullable Object value) {
    try {
      return Objects.requireNonNullElse(String.valueOf(value), "null");
    } catch (Throwable e) { // foreign code: no memory for its text, for example
      return failed("toString() of " + Objects.requireNonNull(value).getClass().getName(), e);
    }
  }

  /** What stands where a value should. */
  static String failed(String what, Throwable why) {
    return "[" + what + " failed: " + why.getClass().getName() + "]";
  }
}
