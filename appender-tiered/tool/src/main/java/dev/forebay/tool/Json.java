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
    text.codePoints().forEach(point -> quoted.append(escaped(point)));
    return quoted.append('"').toString();
  }

  private static String escaped(int point) {
    return switch (point) {
      case '"', '\\' -> "\\" + (char) point;
      case '\n' -> "\\n";
      case '\t' -> "\\t";
      default ->
          point < ' ' || Character.getType(point) == Character.SURROGATE // unpaired
              ? String.format(Locale.ROOT, "\\u%04x", point)
              : Character.toString(point);
    };
  }
}
