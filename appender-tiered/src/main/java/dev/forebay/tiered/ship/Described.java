package dev.forebay.tiered.ship;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the process that fills a spool says of its destination to another one that ships. Messages
 * show keys only: values may be passwords.
 */
public record Described(Map<String, String> values) {

  /** A value that must be there. */
  public String text(String key) throws IOException {
    String value = values.get(key);
    if (value == null) {
      throw new IOException("the description of the log has no " + key);
    }
    return value;
  }

  public @Nullable String textOrNull(String key) {
    return values.get(key);
  }

  public long number(String key) throws IOException {
    try {
      return Long.parseLong(text(key));
    } catch (NumberFormatException e) {
      throw unknown(key, null);
    }
  }

  public int index(String key) throws IOException {
    long number = number(key);
    if (number != (int) number) {
      throw unknown(key, null);
    }
    return (int) number;
  }

  public boolean flag(String key) throws IOException {
    return switch (text(key)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw unknown(key, null);
    };
  }

  /** A path, of a process that may have a character set with more characters. */
  public Path path(String key) throws IOException {
    String path = text(key);
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw new IOException(
          "%s is no path in the locale of this process: start it with LC_ALL=C.UTF-8"
              .formatted(path),
          e);
    }
  }

  /** Bytes as {@link #hex} writes them; none if there is no such key. */
  public byte[] bytes(String key) throws IOException {
    try {
      return HexFormat.of().parseHex(values.getOrDefault(key, ""));
    } catch (IllegalArgumentException e) {
      throw unknown(key, null);
    }
  }

  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** For a value that cannot be used here: perhaps it is of a newer version. */
  public static IOException unknown(String key, @Nullable Exception cause) {
    return new IOException(
        "the description of the log has a %s that this process does not know: update it"
            .formatted(key),
        cause);
  }

  /** Without the values. */
  @Override
  public String toString() {
    return "description with " + values.keySet();
  }
}
