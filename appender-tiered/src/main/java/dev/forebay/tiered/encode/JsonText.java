package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A line of JSON. For one thread at a time. */
public class JsonText extends TextBuffer {

  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

  private static final int DELETE = 0x7F;

  /** The control characters of Latin-1 come before it. */
  private static final int NO_BREAK_SPACE = 0xA0;

  private static final int LINE_SEPARATOR = 0x2028;
  private static final int PARAGRAPH_SEPARATOR = 0x2029;

  private static final byte NUMBER = 'u';

  /** By ASCII character: 0 for one that stands for itself, or what comes after a backslash. */
  private static final byte[] ESCAPES = escapes();

  public final EventTime time = new EventTime();

  protected JsonText() {
    super(UTF_8);
  }

  private static byte[] escapes() {
    byte[] escapes = new byte[DELETE + 1];
    Arrays.fill(escapes, 0, ' ', NUMBER);
    escapes[DELETE] = NUMBER;
    escapes['"'] = '"';
    escapes['\\'] = '\\';
    escapes['\b'] = 'b';
    escapes['\t'] = 't';
    escapes['\n'] = 'n';
    escapes['\f'] = 'f';
    escapes['\r'] = 'r';
    return escapes;
  }

  /**
   * Appends the first characters of a text. A character without a letter for it is escaped as its
   * number, such as a lone surrogate, and what some reader takes for a line end.
   *
   * @param to how many
   * @param hasPairs whether a surrogate pair stands for itself
   * @param hasNumbers whether numbers may be written; else encoders differ in such a text
   * @return false after a part of the text, at a character that needs a number
   */
  protected final boolean escaped(String text, int to, boolean hasPairs, boolean hasNumbers) {
    int from = 0;
    for (int i = 0; i < to; i++) {
      char c = text.charAt(i);
      byte letter = c <= DELETE ? ESCAPES[c] : isPlain(c) ? 0 : NUMBER;
      if (letter == 0) {
        continue;
      }
      if (hasPairs
          && Character.isHighSurrogate(c)
          && i + 1 < to
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
        continue;
      }
      if (letter == NUMBER && !hasNumbers) {
        return false;
      }
      text(text, from, i);
      escape(c, (char) letter);
      from = i + 1;
    }
    text(text, from, to);
    return true;
  }

  private static boolean isPlain(char c) {
    return c >= NO_BREAK_SPACE
        && c != LINE_SEPARATOR
        && c != PARAGRAPH_SEPARATOR
        && !Character.isSurrogate(c);
  }

  private void escape(char c, char letter) {
    ascii('\\');
    ascii(letter);
    if (letter == NUMBER) {
      for (int shift = 12; shift >= 0; shift -= 4) {
        ascii((char) HEX[c >> shift & 0xF]);
      }
    }
  }
}
