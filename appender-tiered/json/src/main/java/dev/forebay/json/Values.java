package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.reflect.Array;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Appends values to a line: numbers, booleans, null, collections, maps and arrays of such as JSON,
 * bytes as Base64, the text of any other object. For one thread at a time.
 */
final class Values {

  /** Objects may contain themselves. */
  static final int MOST_DEPTH = 16;

  /** Of one value, with those inside. */
  static final int MOST_VALUES = 10_000;

  /** Stands for null where a pair with null is left out. */
  static final Object NOTHING = new Object();

  private static final byte[] NULL = "null".getBytes(US_ASCII);
  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");

  private final JsonLine line;

  /** How many more are written of this one. */
  private int left;

  Values(JsonLine line) {
    this.line = line;
  }

  /** Appends a value, whatever it is and whatever its methods do. */
  void write(@Nullable Object value) {
    int before = line.length();
    left = MOST_VALUES;
    try {
      write(value, MOST_DEPTH);
    } catch (Throwable e) { // of a foreign collection, or one that another thread changes
      line.truncate(before);
      line.string(failed("content of " + Objects.requireNonNull(value).getClass().getName(), e));
    }
  }

  private void write(@Nullable Object value, int depth) {
    if (--left < 0 || depth < 0) {
      line.string(JsonLine.CUT);
    } else if (value == null || value == NOTHING) {
      line.literal(NULL);
    } else if (value instanceof String text) {
      line.string(text);
    } else if (value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte) {
      line.decimal(((Number) value).longValue());
    } else if (value instanceof Boolean truth) {
      line.literal(truth ? TRUE : FALSE);
    } else if (value instanceof Collection<?> || value.getClass().isArray()) {
      writeElements(value, depth - 1);
    } else if (value instanceof Map<?, ?> map) {
      writeEntries(map, depth - 1);
    } else {
      String text = textOf(value);
      if (value instanceof Number && NUMBER.matcher(text).matches()) {
        line.text(text);
      } else {
        line.string(text); // NaN, too
      }
    }
  }

  private void writeElements(Object all, int depth) {
    if (all instanceof byte[] bytes) {
      line.string(Base64.getEncoder().encodeToString(bytes));
      return;
    } else if (all instanceof char[] text) {
      line.string(new String(text));
      return;
    }
    line.ascii('[');
    int first = line.length();
    if (all instanceof Collection<?> collection) {
      for (Object each : collection) {
        writeElement(each, first, depth);
        if (left < 0) {
          break;
        }
      }
    } else {
      for (int i = 0; i < Array.getLength(all) && left >= 0; i++) {
        writeElement(Array.get(all, i), first, depth);
      }
    }
    line.ascii(']');
  }

  private void writeElement(@Nullable Object element, int first, int depth) {
    if (line.length() > first) {
      line.ascii(',');
    }
    write(element, depth);
  }

  private void writeEntries(Map<?, ?> map, int depth) {
    line.ascii('{');
    int first = line.length();
    Set<String> names = new HashSet<>(); // 1 and "1" are the same
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = textOf(entry.getKey());
      if (names.add(name)) {
        if (line.length() > first) {
          line.ascii(',');
        }
        line.string(name);
        line.ascii(':');
        write(entry.getValue(), depth);
      }
      if (left < 0) {
        break;
      }
    }
    line.ascii('}');
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
