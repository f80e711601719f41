package dev.forebay.tiered.file;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Compares a compressed archive with its original file. */
enum ArchiveContent {
  /** Exactly the original. */
  WHOLE,
  /** A beginning of the original or nothing, as after a crash: replacing it loses nothing. */
  PART,
  /** Anything else, including an unreadable archive. */
  OTHER;

  private static final int CHUNK_BYTES = 64 * 1024;

  /**
   * Reads both files, streaming.
   *
   * @throws IOException if the uncompressed file cannot be read
   */
  static ArchiveContent of(Path compressed, Original uncompressed) throws IOException {
    String name = compressed.toString();
    if (name.endsWith(".zip")) {
      return compareZip(compressed, uncompressed);
    }
    return name.endsWith(".xz")
        ? compare(compressed, ArchiveContent::unpackXz, "fd377a585a00", uncompressed)
        : compare(
            compressed,
            raw -> new GZIPInputStream(raw, CHUNK_BYTES),
            "1f8b08000000000000",
            uncompressed);
  }

  /** Opens the original file. */
  @FunctionalInterface
  interface Original {
    InputStream open() throws IOException;
  }

  /** Unpacks a stream; fails at once if the head is incomplete. */
  @FunctionalInterface
  private interface Format {
    InputStream unpack(InputStream raw) throws IOException;
  }

  /** A zip file is complete only with its directory, which streaming does not check. */
  private static ArchiveContent compareZip(Path compressed, Original uncompressed)
      throws IOException {
    ZipFile zip;
    try {
      zip = new ZipFile(compressed.toFile());
    } catch (IOException e) {
      ArchiveContent entry =
          compare(compressed, ArchiveContent::firstEntry, "504b0304", uncompressed);
      return entry == WHOLE ? PART : entry;
    }
    try (zip;
        InputStream expected = uncompressed.open()) {
      return zip.size() == 1
          ? compare(zip.getInputStream(zip.entries().nextElement()), expected, PART)
          : OTHER;
    }
  }

  private static InputStream firstEntry(InputStream raw) throws IOException {
    ZipInputStream zip = new ZipInputStream(raw);
    if (zip.getNextEntry() == null) {
      throw new IOException("no entry");
    }
    return zip;
  }

  /**
   * If not a single byte can be unpacked, the head decides.
   *
   * @param head the head that Logback's compressors write, in hexadecimal digits
   */
  private static ArchiveContent compare(
      Path compressed, Format format, String head, Original uncompressed) throws IOException {
    ArchiveContent ifUnreadable;
    try {
      ifUnreadable = isBegun(compressed, HexFormat.of().parseHex(head)) ? PART : OTHER;
    } catch (NoSuchFileException e) {
      return PART; // just removed
    } catch (IOException e) {
      return OTHER;
    }
    try (InputStream expected = uncompressed.open();
        InputStream raw = open(compressed)) {
      InputStream actual;
      try {
        actual = format.unpack(raw);
      } catch (IOException e) {
        return ifUnreadable;
      }
      return compare(actual, expected, ifUnreadable);
    }
  }

  /** Whether a file has this head, or a part of it followed only by zeros. */
  private static boolean isBegun(Path compressed, byte[] head) throws IOException {
    try (InputStream raw = open(compressed)) {
      byte[] begin = raw.readNBytes(head.length);
      int same = Arrays.mismatch(begin, head);
      if (same < 0) {
        return true;
      }
      byte[] rest = Arrays.copyOfRange(begin, same, begin.length);
      while (isZero(rest)) {
        rest = raw.readNBytes(CHUNK_BYTES);
        if (rest.length == 0) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isZero(byte[] bytes) {
    for (byte one : bytes) {
      if (one != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Packs a file as Logback does.
   *
   * @param to a new file; its ending says how
   * @param entry name within a zip file
   */
  static void pack(InputStream original, Path to, String entry) throws IOException {
    String name = to.toString();
    try (OutputStream file = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW);
        OutputStream out =
            name.endsWith(".zip")
                ? new ZipOutputStream(file)
                : name.endsWith(".xz") ? packXz(file) : new GZIPOutputStream(file, CHUNK_BYTES)) {
      if (out instanceof ZipOutputStream zip) {
        zip.putNextEntry(new ZipEntry(entry));
      }
      byte[] chunk = new byte[CHUNK_BYTES];
      for (int length = original.read(chunk); length >= 0; length = original.read(chunk)) {
        out.write(chunk, 0, length);
      }
    }
  }

  private static InputStream open(Path file) throws IOException {
    return new BufferedInputStream(
        Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), CHUNK_BYTES);
  }

  private static InputStream unpackXz(InputStream raw) throws IOException {
    return (InputStream) xz("XZInputStream", raw);
  }

  private static OutputStream packXz(OutputStream raw) throws IOException {
    return (OutputStream) xz("XZOutputStream", raw, xz("LZMA2Options"));
  }

  /** The library is present if Logback could write such a file. */
  private static Object xz(String name, Object... arguments) throws IOException {
    try {
      for (Constructor<?> one : Class.forName("org.tukaani.xz." + name).getConstructors()) {
        Class<?>[] types = one.getParameterTypes();
        boolean fits = types.length == arguments.length;
        for (int i = 0; fits && i < types.length; i++) {
          fits = types[i].isInstance(arguments[i]);
        }
        if (fits) {
          return one.newInstance(arguments);
        }
      }
      throw new IOException("no such constructor of " + name);
    } catch (InvocationTargetException e) {
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private static ArchiveContent compare(
      InputStream actual, InputStream expected, ArchiveContent ifUnreadable) throws IOException {
    byte[] unpacked = new byte[CHUNK_BYTES];
    ArchiveContent soFar = ifUnreadable;
    while (true) {
      int length;
      try {
        length = actual.read(unpacked);
      } catch (IOException e) {
        return soFar; // earlier chunks were equal; the bytes since do not matter
      }
      if (length < 0) {
        return expected.read() < 0 ? WHOLE : PART;
      }
      byte[] original = expected.readNBytes(length);
      if (!Arrays.equals(unpacked, 0, length, original, 0, original.length)) {
        return OTHER;
      }
      soFar = PART;
    }
  }
}
