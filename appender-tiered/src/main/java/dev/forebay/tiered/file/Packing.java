package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.Disk;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Packs files as Logback does: the ending of an archive says how. */
final class Packing {

  private static final int CHUNK_BYTES = 64 * 1024;

  /** What unpacking may take, twice what the highest preset needs: an archive may claim any. */
  private static final int XZ_KIB = 128 * 1024;

  private Packing() {}

  /**
   * What packs into a new file, which will get the name of the archive.
   *
   * @param archive may be there: that of the empty file which a policy got
   * @param stem the archive's name without its ending
   */
  static OutputStream packed(Disk disk, OutputStream raw, Path archive, String stem)
      throws IOException {
    String name = archive.toString();
    if (name.endsWith(".zip")) {
      ZipOutputStream zip = new ZipOutputStream(raw);
      zip.putNextEntry(new ZipEntry(entryOf(disk, archive, stem)));
      return zip;
    }
    return name.endsWith(".xz")
        ? (OutputStream) xz("XZOutputStream", raw, xz("LZMA2Options"))
        : new GZIPOutputStream(raw, CHUNK_BYTES);
  }

  /** As the policy named it: all archives of a fixed window have one stem when they are made. */
  private static String entryOf(Disk disk, Path archive, String stem) {
    try (InputStream raw = read(disk, archive)) {
      ZipEntry entry = new ZipInputStream(raw).getNextEntry();
      return entry == null ? stem : entry.getName();
    } catch (IOException | RuntimeException e) { // a crash has left less
      return stem;
    }
  }

  private static InputStream read(Disk disk, Path file) throws IOException {
    return new BufferedInputStream(disk.open(file, Disk.Mode.READ).input(), CHUNK_BYTES);
  }

  private static InputStream unpacked(Disk disk, Path archive) throws IOException {
    InputStream raw = read(disk, archive);
    try {
      String name = archive.toString();
      if (name.endsWith(".zip")) {
        ZipInputStream zip = new ZipInputStream(raw);
        if (zip.getNextEntry() == null) {
          throw new IOException("no entry in " + archive);
        }
        return zip;
      }
      return name.endsWith(".xz")
          ? (InputStream) xz("XZInputStream", raw, XZ_KIB)
          : new GZIPInputStream(raw, CHUNK_BYTES);
    } catch (IOException | RuntimeException e) { // such as an entry whose name is no text
      raw.close();
      throw e;
    }
  }

  /**
   * Whether a small archive is that of an empty file, or what a crash left of such a one: a part of
   * it, zeros, or nothing.
   */
  static boolean isOfNothing(Disk disk, Path archive) throws IOException {
    try (InputStream content = unpacked(disk, archive)) {
      return content.read() < 0;
    } catch (RuntimeException e) { // the codec is foreign code
      return false;
    } catch (IOException e) {
      return isNothing(disk, archive);
    }
  }

  private static boolean isNothing(Disk disk, Path archive) throws IOException {
    byte[] bytes;
    try (InputStream raw = read(disk, archive)) {
      bytes = raw.readAllBytes();
    }
    byte[] head = head(archive.toString());
    int same = Arrays.mismatch(bytes, head);
    int from = same < 0 || same == head.length ? bytes.length : same;
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static byte[] head(String name) {
    if (name.endsWith(".zip")) {
      return new byte[] {'P', 'K', 3, 4};
    }
    return name.endsWith(".xz")
        ? new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0}
        : new byte[] {0x1F, (byte) 0x8B, 8};
  }

  /** Whether an archive is that of exactly this original; throws if a stop interrupts that. */
  static boolean isOf(Disk disk, Path archive, InputStream original) throws InterruptedIOException {
    try (InputStream content = unpacked(disk, archive)) {
      byte[] chunk = new byte[CHUNK_BYTES];
      for (int length = content.read(chunk); length >= 0; length = content.read(chunk)) {
        byte[] expected = original.readNBytes(length);
        if (!Arrays.equals(chunk, 0, length, expected, 0, expected.length)) {
          return false;
        }
      }
      return original.read() < 0;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) { // no archive of ours
      return false;
    }
  }

  /** Whether the library is present. */
  static boolean hasXz() {
    try {
      return Class.forName("org.tukaani.xz.XZOutputStream") != null;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** The library is present if Logback could write such a file. */
  private static Object xz(String name, Object... arguments) throws IOException {
    try {
      for (Constructor<?> one : Class.forName("org.tukaani.xz." + name).getConstructors()) {
        try {
          return one.newInstance(arguments);
        } catch (IllegalArgumentException e) {
          // This constructor takes other arguments.
        }
      }
      throw new IOException("no such constructor of " + name);
    } catch (InvocationTargetException e) {
      throw new IOException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }
}
