package dev.forebay.tiered.durable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The original's checksum and length, which a compressor writes last: into the trailer of a gzip
 * file or the directory of a zip file.
 *
 * <p>If they are right, the compressor has finished, and nothing needs to be unpacked. After a
 * crash they prove nothing, since earlier blocks may be missing.
 */
final class ArchiveSeal {
  private static final int TRAILER_BYTES = 8;
  private static final int CHUNK_BYTES = 64 * 1024;

  private ArchiveSeal() {}

  /**
   * Reads all of the original once, but only the end of the archive.
   *
   * @return false if there is no such seal, as in an xz file, or it cannot be read
   */
  static boolean isRight(Path compressed, Path uncompressed) throws IOException {
    String name = compressed.toString();
    try {
      if (name.endsWith(".gz")) {
        ByteBuffer trailer = trailerOf(compressed);
        long length = Files.size(uncompressed); // of which a gzip file has the low 32 bits
        return trailer.getInt(Integer.BYTES) == (int) length
            && trailer.getInt(0) == (int) crcOf(uncompressed);
      }
      if (name.endsWith(".zip")) {
        try (ZipFile zip = new ZipFile(compressed.toFile())) {
          ZipEntry entry = zip.size() == 1 ? zip.entries().nextElement() : null;
          return entry != null
              && entry.getSize() == Files.size(uncompressed)
              && entry.getCrc() == crcOf(uncompressed);
        }
      }
      return false;
    } catch (IOException e) {
      return false; // unpacking the archive then reports why
    }
  }

  private static ByteBuffer trailerOf(Path gzip) throws IOException {
    ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (SeekableByteChannel file =
        Files.newByteChannel(gzip, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      file.position(Math.max(0, file.size() - TRAILER_BYTES));
      while (trailer.hasRemaining()) {
        if (file.read(trailer) < 0) {
          throw new EOFException(gzip + " is shorter than a trailer");
        }
      }
    }
    return trailer;
  }

  private static long crcOf(Path original) throws IOException {
    CRC32 crc = new CRC32();
    byte[] chunk = new byte[CHUNK_BYTES];
    try (InputStream in = Files.newInputStream(original, LinkOption.NOFOLLOW_LINKS)) {
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        crc.update(chunk, 0, length);
      }
    }
    return crc.getValue();
  }
}
