package dev.forebay.redact;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Finds the values of fields by their names in a line of JSON: those within objects that an encoder
 * has written, which an event does not show. Any thread.
 */
final class JsonKeys {

  private static final int SPACE = ' ';

  private JsonKeys() {}

  static void find(byte[] line, int length, KeyRules keys, Hits hits) {
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
      int rule = keys.of(new String(line, i + 1, Math.max(0, end - i - 2), UTF_8));
      i = value;
      if (rule >= 0 && value < length) {
        i = endOfValue(line, value, length);
        boolean isText = line[value] == '"';
        if (!isMask(line, value, i)) {
          hits.add(isText ? value + 1 : value, isText ? i - 1 : i, rule);
        }
      }
    }
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
