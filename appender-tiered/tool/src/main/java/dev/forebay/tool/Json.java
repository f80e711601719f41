package dev.forebay.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Named values in their order: texts, numbers, booleans, and lists of texts or of further ones.
 * {@link #toString} is a JSON object, {@link #lines} are for people.
 */
final class Json {

  private static final int FIRST_PRINTABLE = 0x20;

  private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

  Json put(String name, @Nullable Object value) {
    members.put(name, value);
    return this;
  }

  /** A line for each member that has a value; what is in a list of further ones follows. */
  List<String> lines() {
    String row =
        "%-" + members.keySet().stream().mapToInt(String::length).max().orElse(1) + "s  %s";
    List<String> lines = new ArrayList<>();
    members.forEach(
        (name, value) -> {
          if (!(value instanceof List<?> list)) {
            if (value != null && !value.equals("")) {
              lines.add(row.formatted(name, forPeople(name, value)));
            }
            return;
          }
          for (Object one : list) {
            if (one instanceof Json further) {
              lines.add("");
              lines.addAll(further.lines());
            } else {
              lines.add(row.formatted(name, one));
            }
          }
        });
    return lines;
  }

  private static String forPeople(String name, Object value) {
    if (!(value instanceof Long number)) {
      return value.toString();
    }
    return name.toLowerCase(Locale.ROOT).endsWith("bytes")
        ? Text.bytes(number)
        : Text.count(number);
  }

  @Override
  public String toString() {
    StringJoiner object = new StringJoiner(",", "{", "}");
    members.forEach((name, value) -> object.add(quoted(name) + ":" + json(value)));
    return object.toString();
  }

  private static String json(@Nullable Object value) {
    if (value instanceof List<?> list) {
      StringJoiner array = new StringJoiner(",", "[", "]");
      list.forEach(one -> array.add(json(one)));
      return array.toString();
    }
    return value instanceof String text ? quoted(text) : String.valueOf(value);
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
}
