package dev.forebay.redact;

import java.util.Arrays;

/**
 * A line as characters, each with the place of its bytes: of its UTF-8, or else byte by byte; of
 * its UTF-16 or UTF-32; or with escapes replaced by what they stand for, in which a secret would
 * look different. For one thread.
 */
final class Units {

  private static final int UTF_16 = 2;
  private static final int UTF_32 = 4;
  private static final int ASCII = 0x80;
  private static final int HEX_DIGITS = 4;
  private static final int HEX = 16;

  /** What an escape's letter stands for, each after the letter. */
  private static final String ESCAPES = "n\nr\rt\tb\bf\f";

  final char[] chars;

  int length;

  /** Where each begins, and at the end where the last one ends. */
  private final int[] starts;

  /** Bytes of an ASCII character. */
  final int width;

  /** Whether its number is the last of them. */
  final boolean isBigEndian;

  private Units(int most, int width, boolean isBigEndian) {
    this.chars = new char[most];
    this.starts = new int[most + 1];
    this.width = width;
    this.isBigEndian = isBigEndian;
  }

  /** Of a line in UTF-8, or else in an encoding of one byte for each character. */
  static Units plain(byte[] line, int length) {
    Units made = new Units(length, 1, true);
    int i = 0;
    while (i < length) {
      int first = line[i];
      int bytes = first >= 0 ? 1 : bytesOf(line, i, length);
      if (bytes == 1) {
        made.add((char) (first & 0xFF), i);
      } else if (bytes == 2) {
        made.add((char) ((first & 0x1F) << 6 | line[i + 1] & 0x3F), i);
      } else if (bytes == 3) {
        made.add((char) ((first & 0xF) << 12 | (line[i + 1] & 0x3F) << 6 | line[i + 2] & 0x3F), i);
      } else {
        int point =
            (first & 7) << 18
                | (line[i + 1] & 0x3F) << 12
                | (line[i + 2] & 0x3F) << 6
                | line[i + 3] & 0x3F;
        made.add(Character.highSurrogate(point), i);
        made.add(Character.lowSurrogate(point), i);
      }
      i += bytes;
    }
    made.starts[made.length] = length;
    return made;
  }

  /** Bytes of the character of UTF-8 that begins there; 1 if none does. */
  private static int bytesOf(byte[] line, int at, int length) {
    int first = line[at] & 0xFF;
    int bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || at + bytes > length) {
      return 1;
    }
    for (int i = at + 1; i < at + bytes; i++) {
      if ((line[i] & 0xC0) != ASCII) {
        return 1;
      }
    }
    return bytes;
  }

  /** Of a line with bytes 0, which is taken for UTF-16 or UTF-32. */
  static Units wide(byte[] line, int length) {
    int[] zeros = new int[UTF_32];
    for (int i = 0; i < length; i++) {
      zeros[i % UTF_32] += line[i] == 0 ? 1 : 0;
    }
    int quarter = length / UTF_32;
    boolean isBig32 = zeros[0] >= quarter && zeros[1] >= quarter - quarter / UTF_32;
    boolean isLittle32 = zeros[3] >= quarter && zeros[2] >= quarter - quarter / UTF_32;
    boolean isUtf32 = length % UTF_32 == 0 && (isBig32 || isLittle32) && quarter > 0;
    boolean isBig = isUtf32 ? isBig32 : zeros[0] + zeros[2] >= zeros[1] + zeros[3];
    int width = isUtf32 ? UTF_32 : UTF_16;
    Units made = new Units(length / width + 1, width, isBig);
    int i = 0;
    for (; i + width <= length; i += width) {
      int low = isBig ? i + width - 1 : i;
      int high = isBig ? low - 1 : low + 1;
      made.add((char) ((line[high] & 0xFF) << 8 | line[low] & 0xFF), i);
    }
    made.starts[made.length] = i;
    return made;
  }

  private void add(char c, int start) {
    chars[length] = c;
    starts[length++] = start;
  }

  /** The same with what escapes stand for, also of escaped escapes: JSON may be within JSON. */
  Units unescaped() {
    Units made = new Units(length, width, isBigEndian);
    int i = 0;
    while (i < length) {
      int from = i;
      while (i < length && chars[i] == '\\') {
        i++;
      }
      if (i == from || i == length) {
        made.add(i == length ? '\\' : chars[i], starts[from]);
        i = i == length ? length : i + 1;
      } else if (chars[i] == 'u' && hexAt(i + 1) >= 0) {
        made.add((char) hexAt(i + 1), starts[from]);
        i += 1 + HEX_DIGITS;
      } else {
        made.add(meaning(chars[i]), starts[from]);
        i++;
      }
    }
    made.starts[made.length] = starts[length];
    return made;
  }

  private static char meaning(char escaped) {
    int at = ESCAPES.indexOf(escaped);
    return at >= 0 && at % 2 == 0 ? ESCAPES.charAt(at + 1) : escaped;
  }

  private int hexAt(int from) {
    int value = from + HEX_DIGITS <= length ? 0 : -1;
    for (int i = from; i < from + HEX_DIGITS && value >= 0; i++) {
      int digit = Character.digit(chars[i], HEX);
      value = digit < 0 ? -1 : value * HEX + digit;
    }
    return value;
  }

  /** As bytes for the scanner, which cares for ASCII. */
  byte[] ascii() {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (chars[i] < ASCII ? chars[i] : ASCII);
    }
    return bytes;
  }

  /** Where the bytes of a character begin. */
  int start(int index) {
    return starts[index];
  }

  /** The characters without the end of the line. */
  int contentLength() {
    int end = length;
    while (end > 0 && (chars[end - 1] == '\n' || chars[end - 1] == '\r')) {
      end--;
    }
    return end;
  }

  /** An ASCII text as the line's bytes. */
  byte[] encode(String ascii) {
    byte[] bytes = new byte[ascii.length() * width];
    for (int i = 0; i < ascii.length(); i++) {
      bytes[i * width + (isBigEndian ? width - 1 : 0)] = (byte) ascii.charAt(i);
    }
    return bytes;
  }

  @Override
  public String toString() {
    return "Units" + Arrays.toString(new int[] {length, width}); // never a text of the line
  }
}
