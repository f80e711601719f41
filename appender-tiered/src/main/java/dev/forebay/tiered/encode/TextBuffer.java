package dev.forebay.tiered.encode;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes of one line, appended as text: exactly what {@link String#getBytes(Charset)} makes of the
 * whole line, also where a surrogate pair comes in two pieces. Grows as needed, is used again, and
 * forgets the memory of a huge line. For one thread at a time.
 */
public class TextBuffer {

  /** What is kept for the next line, at most. */
  static final int KEPT_BYTES = 64 * 1024;

  private static final int FIRST_BYTES = 1024;

  /** Some JVMs have no longer arrays. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private static final int ASCII = 0x80;
  private static final int LATIN_1 = 0x100;

  private static final byte UNKNOWN = '?';

  private final boolean isUtf8;

  /** Characters below it are one byte, the same number. */
  private final int plainBelow;

  /** What {@link CompiledPattern} remembers of earlier lines, by step. */
  final Object[] memory;

  /** For what Logback formats. */
  final StringBuilder scratch = new StringBuilder();

  private byte[] bytes = new byte[FIRST_BYTES];

  private int length;

  /** The surrogate that ends the text so far, for which there is a '?'; 0 if none does. */
  private char high;

  /** Where the text so far ended when {@link #high} was set. */
  private int highEnd;

  /**
   * Makes an empty one.
   *
   * @param charset one that {@link #knows}
   */
  public TextBuffer(Charset charset) {
    this(charset, 0);
  }

  TextBuffer(Charset charset, int steps) {
    if (!knows(charset)) {
      throw new IllegalArgumentException(charset + " is not known");
    }
    this.memory = new Object[steps];
    this.isUtf8 = charset.equals(StandardCharsets.UTF_8);
    this.plainBelow = charset.equals(StandardCharsets.ISO_8859_1) ? LATIN_1 : ASCII;
  }

  /** Whether text can be encoded so. */
  public static boolean knows(Charset charset) {
    return charset.equals(StandardCharsets.UTF_8)
        || charset.equals(StandardCharsets.US_ASCII)
        || charset.equals(StandardCharsets.ISO_8859_1);
  }

  /** Begins a new line. */
  public void clear() {
    length = 0;
    high = 0;
    if (bytes.length > KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
  }

  /** The line is at the start of it, {@link #length} bytes, until something is appended. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** A copy of the line. */
  public byte[] toBytes() {
    return toBytes(0);
  }

  /** A copy of what was appended after that length. */
  public byte[] toBytes(int fromLength) {
    return Arrays.copyOfRange(bytes, fromLength, length);
  }

  /** Whether the bytes of a text are the same whatever comes before and after it. */
  public static boolean isWhole(CharSequence text) {
    int last = text.length() - 1;
    return last < 0
        || !Character.isLowSurrogate(text.charAt(0))
            && !Character.isHighSurrogate(text.charAt(last));
  }

  /** Takes back what was appended after that length. */
  public void truncate(int toLength) {
    length = Math.min(length, toLength);
    high = 0;
  }

  /** Appends text that is encoded already and does not begin within a surrogate pair. */
  public void literal(byte[] encoded) {
    literal(encoded, 0, encoded.length);
  }

  /** As the other, for a part. */
  public void literal(byte[] encoded, int from, int count) {
    ensure(count);
    System.arraycopy(encoded, from, bytes, length, count);
    length += count;
  }

  /** Appends one ASCII character. */
  public void ascii(char character) {
    ensure(1);
    bytes[length++] = (byte) character;
  }

  /** Appends an ASCII character so many times; none if that is negative. */
  public void fill(char character, int count) {
    if (count > 0) {
      ensure(count);
      Arrays.fill(bytes, length, length + count, (byte) character);
      length += count;
    }
  }

  /** Appends text. */
  public void text(String text) {
    text(text, 0, text.length());
  }

  /**
   * Appends the characters of a text from one index to, exclusively, another. Takes all of them for
   * ASCII and looks afterwards: a loop without an exit is translated into faster code.
   */
  public void text(String text, int from, int to) {
    ensure(to - Objects.checkFromToIndex(from, to, text.length()));
    byte[] into = bytes;
    int shift = length - from;
    int all = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      all |= c;
      into[shift + i] = (byte) c;
    }
    if (all < ASCII) {
      length += to - from;
    } else {
      any(text, from, to);
    }
  }

  /** As for a string. */
  public void text(StringBuilder text) {
    ensure(text.length());
    any(text, 0, text.length());
  }

  private void any(CharSequence text, int from, int to) {
    int i = from;
    while (i < to) {
      char c = text.charAt(i++);
      if (c < plainBelow) {
        ascii(c);
      } else if (Character.isHighSurrogate(c)
          && i < to
          && Character.isLowSurrogate(text.charAt(i))) {
        supplementary(c, text.charAt(i++));
      } else if (Character.isSurrogate(c)) {
        lone(c);
      } else {
        wide(c);
      }
    }
  }

  /** A character of the basic plane that takes more than one byte, or cannot be encoded. */
  private void wide(char c) {
    ensure(3);
    if (!isUtf8) {
      bytes[length++] = UNKNOWN;
    } else if (c < 0x800) {
      bytes[length++] = (byte) (0xC0 | c >> 6);
      bytes[length++] = (byte) (0x80 | c & 0x3F);
    } else {
      bytes[length++] = (byte) (0xE0 | c >> 12);
      bytes[length++] = (byte) (0x80 | c >> 6 & 0x3F);
      bytes[length++] = (byte) (0x80 | c & 0x3F);
    }
  }

  private void supplementary(char first, char second) {
    ensure(4);
    if (!isUtf8) {
      bytes[length++] = UNKNOWN;
      return;
    }
    int point = Character.toCodePoint(first, second);
    bytes[length++] = (byte) (0xF0 | point >> 18);
    bytes[length++] = (byte) (0x80 | point >> 12 & 0x3F);
    bytes[length++] = (byte) (0x80 | point >> 6 & 0x3F);
    bytes[length++] = (byte) (0x80 | point & 0x3F);
  }

  /** A surrogate without the other one, unless that is the end of the text so far. */
  private void lone(char c) {
    if (high != 0 && highEnd == length && Character.isLowSurrogate(c)) {
      length--; // the '?'
      supplementary(high, c);
      high = 0;
      return;
    }
    ensure(1);
    bytes[length++] = UNKNOWN;
    if (Character.isHighSurrogate(c)) {
      high = c;
      highEnd = length;
    }
  }

  /** Appends a number. */
  public void decimal(long number) {
    decimal(number, 1);
  }

  /** Appends a number with zeros in front of it where it has fewer digits. */
  public void decimal(long number, int digits) {
    int count = 1;
    for (long rest = number / 10; rest != 0; rest /= 10) {
      count++;
    }
    if (number < 0) {
      ascii('-');
    }
    fill('0', digits - count);
    ensure(count);
    length += count;
    int at = length;
    long rest = number;
    do { // the remainder of a negative number is negative
      bytes[--at] = (byte) ('0' + Math.abs(rest % 10));
      rest /= 10;
    } while (rest != 0);
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      grow(more);
    }
  }

  private void grow(int more) {
    long needed = (long) length + more;
    if (needed > MOST_BYTES) {
      throw new OutOfMemoryError("a line of more than " + MOST_BYTES + " bytes");
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(MOST_BYTES, Math.max(needed, 2L * bytes.length)));
  }
}
