package dev.forebay.tool;

import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Builds one JSON object; {@link #toString} is its text. */
final class Json {

  private static final int FIRST_PRINTABLE = 0x20;

  private final StringJoiner members = new StringJoiner(",", "{", "}");

  Json put(String name, @Nullable String value) {
    return raw(name, value == null ? "null" : quoted(value));
  }

  Json put(String name, long value) {
    return raw(name, Long.toString(value));
  }

  Json put(String name, boolean value) {
    return raw(name, Boolean.toString(value));
  }

  Json put(String name, Iterable<Json> values) {
    StringJoiner array = new StringJoiner(",", "[", "]");
    values.forEach(value -> array.add(value.toString()));
    return raw(name, array.toString());
  }

  Json putTexts(String name, Iterable<String> values) {
    StringJoiner array = new StringJoiner(",", "[", "]");
    values.forEach(value -> array.add(quoted(value)));
    return raw(name, array.toString());
  }

  private Json raw(String name, String value) {
    members.add(quoted(name) + ":" + value);
    return this;
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (c < FIRST_PRINTABLE || Character.isSurrogate(c) && !isPaired(text, i)) {
            quoted.append(String.format("\\u%04x", (int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }

  private static boolean isPaired(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
