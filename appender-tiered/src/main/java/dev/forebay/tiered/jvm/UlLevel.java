package dev.forebay.tiered.jvm;

import dev.forebay.observe.Levels;
import java.nio.charset.StandardCharsets;

/** The level of a line: what one of its decorations, all in brackets before the text, says. */
final class UlLevel {

  /** In the order of {@link Levels}. */
  private static final byte[][] NAMES = {
    name("trace"), name("debug"), name("info"), name("warning"), name("error")
  };

  private UlLevel() {}

  private static byte[] name(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The level as {@link Levels} counts; INFO if the line does not say. */
  static int of(byte[] bytes, int start, int length) {
    int end = start + length;
    int at = start;
    while (at < end && bytes[at] == '[') {
      int close = at + 1;
      while (close < end && bytes[close] != ']') {
        close++;
      }
      int level = indexOf(bytes, at + 1, close);
      if (level >= 0) {
        return level;
      }
      at = close + 1;
    }
    return Levels.INFO;
  }

  /** The level of this name; -1 if there is none. */
  static int named(String name) {
    byte[] bytes = name(name);
    return indexOf(bytes, 0, bytes.length);
  }

  /** Decorations are padded with blanks. */
  private static int indexOf(byte[] bytes, int start, int close) {
    for (int level = 0; level < NAMES.length; level++) {
      byte[] name = NAMES[level];
      int at = 0;
      while (at < name.length && start + at < close && bytes[start + at] == name[at]) {
        at++;
      }
      if (at == name.length && isBlank(bytes, start + at, close)) {
        return level;
      }
    }
    return -1;
  }

  private static boolean isBlank(byte[] bytes, int start, int end) {
    for (int at = start; at < end; at++) {
      if (bytes[at] != ' ') {
        return false;
      }
    }
    return true;
  }
}
