package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A line of JSON. For one thread at a time. */
public class JsonText extends TextBuffer {

  private static final int DELETE = 0x7F;

  /** The control characters of Latin-1 come before it. */
  private static final int NO_BREAK_SPACE = 0xA0;

  private static final int LINE_SEPARATOR = 0x2028;
  private static final int PARAGRAPH_SEPARATOR = 0x2029;

  /** By ASCII character. */
  private static final byte[] ESCAPES = escapes();

  public final EventTime time = new EventTime();

  protected JsonText() {
    super(UTF_8);
  }

  private static byte[] escapes() {
    byte[] escapes = new byte[DELETE + 1];
    Arrays.fill(escapes, 0, ' ', (byte) 'u');
    escapes[DELETE] = 'u';
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
   * How a character stands in a text: 0 if for itself, else what comes after a backslash, {@code u}
   * for a number. So are surrogates, unless in pairs, and what some reader takes for a line end.
   */
  protected static byte escapeOf(char c) {
    if (c <= DELETE) {
      return ESCAPES[c];
    }
    boolean isPlain =
        c >= NO_BREAK_SPACE
            && c != LINE_SEPARATOR
            && c != PARAGRAPH_SEPARATOR
            && !Character.isSurrogate(c);
    return (byte) (isPlain ? 0 : 'u');
  }
}
