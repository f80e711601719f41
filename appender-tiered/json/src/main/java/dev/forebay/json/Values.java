package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.reflect.Array;
import java.math.BigDecimal;
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
 * bytes as Base64, the text of any other object. Typed, they are OTLP's {@code AnyValue} of the
 * same content: 64-bit integers are strings then. For one thread at a time.
 */
final class Values {

  /** Objects may contain themselves. */
  static final int MOST_DEPTH = 16;

  /** Of one value, with those inside. */
  static final int MOST_VALUES = 10_000;

  /** Stands for null where a pair with null is left out. */
  static final Object NOTHING = new Object();

  /** Any number with fewer is a long. */
  private static final int LONG_DIGITS = 19;

  private static final byte[] NULL = "null".getBytes(US_ASCII);
  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);

  private static final byte[] NONE = {};
  private static final byte[] OPEN = {'{'};
  private static final byte[] CLOSE = {'}'};
  private static final byte[] COLON = {':'};
  private static final byte[] OPEN_ARRAY = {'['};
  private static final byte[] CLOSE_ARRAY = {']'};
  static final byte[] STRING = "{\"stringValue\":".getBytes(US_ASCII);
  private static final byte[] BOOLEAN = "{\"boolValue\":".getBytes(US_ASCII);
  private static final byte[] INTEGER = "{\"intValue\":\"".getBytes(US_ASCII);
  private static final byte[] INTEGER_END = "\"}".getBytes(US_ASCII);
  private static final byte[] DOUBLE = "{\"doubleValue\":".getBytes(US_ASCII);
  private static final byte[] BYTES = "{\"bytesValue\":".getBytes(US_ASCII);
  private static final byte[] ARRAY = "{\"arrayValue\":{\"values\":[".getBytes(US_ASCII);
  private static final byte[] LIST = "{\"kvlistValue\":{\"values\":[".getBytes(US_ASCII);
  private static final byte[] MANY_END = "]}}".getBytes(US_ASCII);
  private static final byte[] EMPTY = "{}".getBytes(US_ASCII);
  private static final byte[] KEY = "{\"key\":".getBytes(US_ASCII);
  private static final byte[] VALUE = ",\"value\":".getBytes(US_ASCII);

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?");

  private final JsonLine line;

  /** Whether as {@code AnyValue}. */
  private boolean isTyped;

  /** How many more are written of this one. */
  private int left;

  Values(JsonLine line) {
    this.line = line;
  }

  void write(@Nullable Object value) {
    isTyped = false;
    writeAny(value);
  }

  void writeTyped(@Nullable Object value) {
    isTyped = true;
    writeAny(value);
  }

  /** Whatever it is and whatever its methods do. */
  private void writeAny(@Nullable Object value) {
    int before = line.length();
    left = MOST_VALUES;
    try {
      write(value, MOST_DEPTH);
    } catch (Throwable e) { // of a foreign collection, or one that another thread changes
      line.truncate(before);
      writeText(failed("content of " + Objects.requireNonNull(value).getClass().getName(), e));
    }
  }

  private void write(@Nullable Object value, int depth) {
    if (--left < 0 || depth < 0) {
      writeText(JsonLine.CUT);
    } else if (value == null || value == NOTHING) {
      line.literal(isTyped ? EMPTY : NULL);
    } else if (value instanceof String text) {
      writeText(text);
    } else if (value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte) {
      writeInteger(((Number) value).longValue());
    } else if (value instanceof Boolean truth) {
      begin(BOOLEAN);
      line.literal(truth ? TRUE : FALSE);
      end();
    } else if (value instanceof Collection<?> || value.getClass().isArray()) {
      writeElements(value, depth - 1);
    } else if (value instanceof Map<?, ?> map) {
      writeEntries(map, depth - 1);
    } else if (value instanceof Number) {
      writeNumber(value, textOf(value));
    } else {
      writeText(textOf(value));
    }
  }

  private void begin(byte[] type) {
    if (isTyped) {
      line.literal(type);
    }
  }

  private void end() {
    if (isTyped) {
      line.ascii('}');
    }
  }

  private void writeText(String text) {
    begin(STRING);
    line.string(text);
    end();
  }

  private void writeInteger(long number) {
    begin(INTEGER);
    line.decimal(number);
    line.literal(isTyped ? INTEGER_END : NONE);
  }

  private void writeNumber(Object number, String text) {
    boolean isFraction = number instanceof Double || number instanceof Float;
    if (!NUMBER.matcher(text).matches()) {
      begin(isFraction ? DOUBLE : STRING);
      line.string(text); // NaN, too
      end();
    } else if (!isTyped) {
      line.text(text);
    } else {
      writeTypedNumber(text, isFraction);
    }
  }

  /** What neither a long nor a double holds is a string. */
  private void writeTypedNumber(String text, boolean isFraction) {
    BigDecimal exact = new BigDecimal(text);
    if (!isFraction && text.length() < LONG_DIGITS && text.matches("-?[0-9]+")) {
      writeInteger(Long.parseLong(text));
    } else if (isFraction || isDouble(exact)) {
      line.literal(DOUBLE);
      line.text(text);
      end();
    } else {
      writeText(text);
    }
  }

  private static boolean isDouble(BigDecimal exact) {
    double nearest = exact.doubleValue();
    return !Double.isInfinite(nearest)
        && new BigDecimal(Double.toString(nearest)).compareTo(exact) == 0;
  }

  private void writeElements(Object all, int depth) {
    if (all instanceof byte[] bytes) {
      begin(BYTES);
      line.string(Base64.getEncoder().encodeToString(bytes));
      end();
      return;
    } else if (all instanceof char[] text) {
      writeText(new String(text));
      return;
    }
    line.literal(isTyped ? ARRAY : OPEN_ARRAY);
    int first = line.length();
    if (all instanceof Collection<?> collection) {
      for (Object each : collection) {
        separate(first);
        write(each, depth);
        if (left < 0) {
          break;
        }
      }
    } else {
      for (int i = 0; i < Array.getLength(all) && left >= 0; i++) {
        separate(first);
        write(Array.get(all, i), depth);
      }
    }
    line.literal(isTyped ? MANY_END : CLOSE_ARRAY);
  }

  private void separate(int first) {
    if (line.length() > first) {
      line.ascii(',');
    }
  }

  private void writeEntries(Map<?, ?> map, int depth) {
    line.literal(isTyped ? LIST : OPEN);
    int first = line.length();
    Set<String> names = new HashSet<>(); // 1 and "1" are the same
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = textOf(entry.getKey());
      if (names.add(name)) {
        separate(first);
        begin(KEY);
        line.string(name);
        line.literal(isTyped ? VALUE : COLON);
        write(entry.getValue(), depth);
        end();
      }
      if (left < 0) {
        break;
      }
    }
    line.literal(isTyped ? MANY_END : CLOSE);
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
