package dev.forebay.redact;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Finds the values of fields by their names in a line of JSON: those within objects that an encoder
 * has written, which an event does not show. Any thread.
 */
final class JsonKeys {

  private static final int SPACE = ' ';
  private static final String KEY = "key";
  private static final byte[] VALUE = ",\"value\":".getBytes(UTF_8);

  private JsonKeys() {}

  /**
   * @param hasPairs whether pairs of OTLP are searched, too: not in an unescaped line, whose values
   *     may have quotes
   */
  static void find(byte[] line, int length, KeyRules keys, boolean hasPairs, Hits hits) {
    int i = 0;
    while (i < length) {
      if (line[i] != '"') {
        i++;
        continue;
      }
      int end = endOfString(line, i, length);
      int value = skip(line, end, length);
      if (value >= length || line[value] != ':') {
        i++; // perhaps the end of a text: in an unescaped line quotes are not in pairs
        continue;
      }
      value = skip(line, value + 1, length);
      String name = text(line, i, end);
      int rule = keys.of(name);
      i = value;
      if (hasPairs && rule < 0 && name.equals(KEY) && value < length && line[value] == '"') {
        i = findPair(line, value, length, keys, hits);
        continue;
      }
      if (rule >= 0 && value < length) {
        i = endOfValue(line, value, length);
        boolean isText = line[value] == '"';
        if (!isMask(line, value, i)) {
          hits.add(isText ? value + 1 : value, isText ? i - 1 : i, rule);
        }
      }
    }
  }

  private static String text(byte[] line, int quote, int end) {
    return new String(line, quote + 1, Math.max(0, end - quote - 2), UTF_8);
  }

  /**
   * In OTLP a name is a value, too, and behind it is another one, of types and values. Returns
   * where to continue.
   */
  private static int findPair(byte[] line, int name, int length, KeyRules keys, Hits hits) {
    int end = endOfString(line, name, length);
    int rule = keys.of(text(line, name, end));
    int from = end + VALUE.length;
    if (rule < 0 || from >= length || !Arrays.equals(line, end, from, VALUE, 0, VALUE.length)) {
      return name;
    }
    int to = endOfValue(line, from, length);
    int i = from;
    while (i < to) {
      int next = line[i] == '"' ? endOfString(line, i, to) : i + 1;
      boolean isNumber = line[i] == '-' || Chars.isDigit(line[i]);
      while (isNumber && next < to && Chars.is(line[next], Chars.CREDENTIAL)) {
        next++;
      }
      boolean isName = next < to && line[next] == ':';
      if (line[i] == '"' && !isName && !isMask(line, i, next)) {
        hits.add(i + 1, next - 1, rule);
      } else if (isNumber) {
        hits.add(i, next, rule);
      }
      i = next;
    }
    return to;
  }

  /** Whether the event had none there already. */
  private static boolean isMask(byte[] line, int start, int end) {
    return end - start == 5 && line[start + 1] == '*' && line[start + 2] == '*';
  }

  /** After the quote that ends a string. */
  private static int endOfString(byte[] line, int quote, int length) {
    int i = quote + 1;
    while (i < length && line[i] != '"') {
      i += line[i] == '\\' ? 2 : 1;
    }
    return Math.min(length, i + 1);
  }

  private static int skip(byte[] line, int from, int length) {
    int i = from;
    while (i < length && line[i] >= 0 && line[i] <= SPACE) {
      i++;
    }
    return i;
  }

  /** After a value, of which brackets are balanced. */
  private static int endOfValue(byte[] line, int from, int length) {
    int depth = 0;
    int i = from;
    while (i < length) {
      byte b = line[i];
      if (depth == 0 && i > from && (b == ',' || b == '}' || b == ']' || b == '\n')) {
        return i;
      }
      if (b == '"') {
        i = endOfString(line, i, length);
      } else {
        depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
        i++;
      }
      if (depth == 0 && (b == '"' || b == '}' || b == ']')) {
        return i;
      }
    }
    return length;
  }
}
