package dev.forebay.tiered.apart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.Trust;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a process must know of a log to ship a spool for it: a file in the spool.
 *
 * <pre>
 * forebay description 1
 * key=value              any number, escaped as java.util.Properties reads them
 * crc32c=0123abcd        of all bytes before this line
 * </pre>
 *
 * <p>UTF-8. {@link LogDescriptions} knows the keys. Values may be passwords: no message shows them.
 * Immutable.
 */
public final class Description {

  static final int LIMIT_BYTES = 64 * 1024;

  private static final String TITLE = "forebay description ";
  private static final String VERSION = "1";
  private static final String CHECK = "crc32c=";
  private static final int CHECK_BYTES = CHECK.length() + 8 + 1;

  private final Map<String, String> values;

  /** In the order of the map, whose keys are not empty. */
  Description(Map<String, String> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** All of it. */
  public Map<String, String> values() {
    return values;
  }

  /** The content of the file; readers refuse more than {@link #LIMIT_BYTES}. */
  public byte[] encode() {
    StringBuilder text = new StringBuilder(TITLE).append(VERSION).append('\n');
    values.forEach(
        (key, value) -> {
          escape(key, true, text);
          text.append('=');
          escape(value, false, text);
          text.append('\n');
        });
    byte[] content = text.toString().getBytes(UTF_8);
    return ByteBuffer.allocate(content.length + CHECK_BYTES)
        .put(content)
        .put(check(content, content.length).getBytes(UTF_8))
        .array();
  }

  /** Reads what {@link #encode} wrote. Throws if it is anything else. */
  static Description decode(byte[] bytes) throws IOException {
    if (bytes.length > LIMIT_BYTES) {
      throw new IOException(
          "is too long: %d bytes, at most %d".formatted(bytes.length, LIMIT_BYTES));
    }
    String[] lines = new String(bytes, UTF_8).split("\n", -1);
    if (!lines[0].startsWith(TITLE)) {
      throw new IOException("is damaged: it does not begin with \"" + TITLE.trim() + "\"");
    }
    String version = lines[0].substring(TITLE.length());
    boolean isCut = lines.length == 1;
    if (!isCut && version.matches("\\d{1,9}") && !version.equals(VERSION)) {
      throw new IOException(
          "is of version %s, this is a reader of version %s: update it"
              .formatted(version, VERSION));
    }
    int content = bytes.length - CHECK_BYTES;
    String end = content < 0 ? "" : new String(bytes, content, CHECK_BYTES, UTF_8);
    if (isCut || !end.equals(check(bytes, content))) {
      throw new IOException(
          "is damaged: its checksum does not match its %d bytes".formatted(bytes.length));
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 1; i < lines.length - 2; i++) {
      int separator = separator(lines[i]);
      if (separator <= 0) {
        throw new IOException("is damaged: line %d is not key=value".formatted(i + 1));
      }
      values.put(
          unescaped(lines[i].substring(0, separator)),
          unescaped(lines[i].substring(separator + 1)));
    }
    return new Description(values);
  }

  private static String check(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, Math.max(0, length));
    return String.format(Locale.ROOT, "%s%08x\n", CHECK, crc.getValue());
  }

  private static void escape(String text, boolean isKey, StringBuilder to) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> to.append("\\n");
        case '\r' -> to.append("\\r");
        case '\t' -> to.append("\\t");
        case '\\' -> to.append("\\\\");
        default -> {
          if (Character.isISOControl(c) || Character.isSurrogate(c)) { // halves are no UTF-8
            to.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            boolean hasMeaning = isKey ? "=:#! ".indexOf(c) >= 0 : c == ' ' && i == 0;
            to.append(hasMeaning ? "\\" : "").append(c);
          }
        }
      }
    }
  }

  /** Where a line's first equals sign is that no backslash escapes; -1 if nowhere. */
  private static int separator(String line) {
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) == '\\') {
        i++;
      } else if (line.charAt(i) == '=') {
        return i;
      }
    }
    return -1;
  }

  private static String unescaped(String text) throws IOException {
    StringBuilder all = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && ++i < text.length()) {
        c = text.charAt(i);
        if (c == 'u') {
          c = codeAt(text, i + 1);
          i += 4;
        } else {
          int letter = "nrtf".indexOf(c);
          c = letter < 0 ? c : "\n\r\t\f".charAt(letter);
        }
      }
      all.append(c);
    }
    return all.toString();
  }

  private static char codeAt(String text, int from) throws IOException {
    try {
      return (char) Integer.parseInt(text, from, from + 4, 16);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IOException("is damaged: \\u is not followed by four hexadecimal digits", e);
    }
  }

  /**
   * Reads that of a spool; null if it has none. Throws, with the path and what is wrong, if it is
   * not our user's alone, or is damaged, or is of another version.
   */
  public static @Nullable Description read(Disk disk, Path spool) throws IOException {
    Path path = spool.resolve(SpoolNames.DESCRIPTION);
    FileInfo info = disk.stat(path);
    if (info == null) {
      return null;
    }
    String fault = Trust.fileFault(disk, path, info);
    if (fault != null) {
      throw new IOException(
          "%s %s; required: a file%s, with one name"
              .formatted(path, fault, Trust.ofUser(disk.userId(), "0600")));
    }
    if (info.sizeBytes() > LIMIT_BYTES) { // before that much is read
      throw new IOException(
          "%s is too long: %d bytes, at most %d".formatted(path, info.sizeBytes(), LIMIT_BYTES));
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) info.sizeBytes());
    try (DiskFile file = disk.open(path, Disk.Mode.READ)) {
      boolean unused = file.readFully(bytes, 0);
    } catch (NoSuchFileException e) { // the spool was just deleted
      return null;
    }
    try {
      byte[] content = new byte[bytes.flip().remaining()];
      bytes.get(content);
      return decode(content);
    } catch (IOException e) {
      throw new IOException(path + " " + e.getMessage(), e);
    }
  }

  /** Whether another one says the same. */
  boolean isSame(@Nullable Description other) {
    return other != null && values.equals(other.values);
  }

  /** Without what may be a password. */
  @Override
  public String toString() {
    return "description with " + values.keySet();
  }
}
