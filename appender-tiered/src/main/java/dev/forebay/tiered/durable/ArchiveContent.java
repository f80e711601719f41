package dev.forebay.tiered.durable;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipFile;

/** Compares a compressed archive with the file it was made from. */
enum ArchiveContent {
  /** All of it, and nothing else. */
  WHOLE,
  /** The beginning of it or nothing at all: cut short, zeros, empty. */
  PART,
  /** Something else. */
  OTHER;

  private static final int CHUNK_BYTES = 64 * 1024;

  /**
   * Reads both files, streaming.
   *
   * @throws IOException when the uncompressed file cannot be read
   */
  static ArchiveContent of(Path compressed, Path uncompressed) throws IOException {
    try (InputStream expected = open(uncompressed)) {
      return compressed.toString().endsWith(".zip")
          ? compareZip(compressed, expected)
          : compareStream(compressed, expected);
    }
  }

  /** A zip file is whole only with its directory, which a stream would not miss. */
  private static ArchiveContent compareZip(Path compressed, InputStream expected)
      throws IOException {
    ZipFile zip;
    try {
      zip = new ZipFile(compressed.toFile());
    } catch (IOException e) {
      return PART;
    }
    try (zip) {
      if (zip.size() != 1) {
        return OTHER;
      }
      try (InputStream actual = zip.getInputStream(zip.entries().nextElement())) {
        return compare(actual, expected);
      }
    }
  }

  private static ArchiveContent compareStream(Path compressed, InputStream expected)
      throws IOException {
    InputStream raw;
    InputStream actual;
    try {
      raw = open(compressed);
    } catch (IOException e) {
      return PART;
    }
    try (raw) {
      try {
        actual =
            compressed.toString().endsWith(".xz")
                ? unpackXz(raw)
                : new GZIPInputStream(raw, CHUNK_BYTES);
      } catch (IOException e) {
        return PART; // not even its head
      }
      return compare(actual, expected);
    }
  }

  private static InputStream open(Path file) throws IOException {
    return new BufferedInputStream(
        Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), CHUNK_BYTES);
  }

  /** The library is there when Logback could write such a file. */
  private static InputStream unpackXz(InputStream raw) throws IOException {
    try {
      return Class.forName("org.tukaani.xz.XZInputStream")
          .asSubclass(InputStream.class)
          .getConstructor(InputStream.class)
          .newInstance(raw);
    } catch (InvocationTargetException e) {
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private static ArchiveContent compare(InputStream actual, InputStream expected)
      throws IOException {
    while (true) {
      byte[] unpacked;
      try {
        unpacked = actual.readNBytes(CHUNK_BYTES);
      } catch (IOException e) {
        return PART; // what came before was equal; the bytes in between do not matter
      }
      byte[] original = expected.readNBytes(CHUNK_BYTES);
      if (!Arrays.equals(unpacked, original)) {
        boolean shorter =
            unpacked.length < original.length
                && Arrays.equals(unpacked, Arrays.copyOf(original, unpacked.length));
        return shorter ? PART : OTHER;
      }
      if (original.length < CHUNK_BYTES) {
        return WHOLE;
      }
    }
  }
}
