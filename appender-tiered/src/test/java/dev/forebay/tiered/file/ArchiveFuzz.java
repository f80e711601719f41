package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.CheckpointFuzz.require;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.NioDisk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * A target for a fuzzer: an archive of any content at the name of one that is due, packed from an
 * original or not, and damaged. It passes for that of the original only if it unpacks to it, and
 * for an empty one only if nothing in it is worth keeping. Nothing but that is thrown.
 *
 * <p>Input: flags, the length of the original, the original, and the archive or, if the flags say
 * so, pairs of a place in the packed original and what is changed there.
 */
public final class ArchiveFuzz {
  private static final String[] ENDINGS = {".gz", ".zip", ".xz", ".gz"};
  private static final int PACKED = 4;
  private static final Disk DISK = NioDisk.current();
  private static final Path DIRECTORY = directory();

  private ArchiveFuzz() {}

  private static Path directory() {
    try {
      Path directory = Files.createTempDirectory(Path.of("/dev/shm"), "archive-fuzz-");
      directory.toFile().deleteOnExit(); // first, as the last one registered is deleted first
      for (String ending : ENDINGS) {
        directory.resolve("app.log" + ending).toFile().deleteOnExit();
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length < 2) {
      return;
    }
    Path archive = DIRECTORY.resolve("app.log" + ENDINGS[data[0] & 3]);
    int end = Math.min(data.length, 2 + (data[1] & 0xFF));
    byte[] original = Arrays.copyOfRange(data, 2, end);
    byte[] rest = Arrays.copyOfRange(data, end, data.length);
    boolean isPacked = (data[0] & PACKED) != 0;
    boolean isDamaged = !isPacked;
    byte[] content = isPacked ? packed(archive, original) : rest;
    for (int i = 0; isPacked && i + 1 < rest.length; i += 2) {
      content[(rest[i] & 0xFF) % content.length] ^= rest[i + 1];
      isDamaged = true;
    }
    Files.write(archive, content);
    byte[] unpacked = unpacked(archive, original.length + 1);
    boolean isOf = Packing.isOf(DISK, archive, new ByteArrayInputStream(original));
    boolean isSame = unpacked != null && Arrays.equals(unpacked, original);
    require(isOf == isSame, "is it of the original: " + isOf);
    require(isOf || isDamaged, "an archive is not known again");
    byte[] longer = Arrays.copyOf(original, original.length + 1);
    require(
        !isOf || !Packing.isOf(DISK, archive, new ByteArrayInputStream(longer)), "of a longer one");
    boolean isOfNothing = Packing.isOfNothing(DISK, archive);
    require(!isOfNothing || unpacked == null || unpacked.length == 0, "lines are nothing");
  }

  private static byte[] packed(Path archive, byte[] original) throws IOException {
    Files.deleteIfExists(archive);
    try (DiskFile to = DISK.open(archive, Disk.Mode.CREATE_PRIVATE);
        OutputStream out = Packing.packed(DISK, to.output(), archive, "entry")) {
      out.write(original);
    }
    return Files.readAllBytes(archive);
  }

  /** The first bytes of what is in an archive; null if not all of it can be unpacked. */
  private static byte[] unpacked(Path archive, int most) {
    String name = archive.toString();
    try (InputStream raw = Files.newInputStream(archive)) {
      if (name.endsWith(".xz")) {
        return new XZInputStream(raw, 1 << 20).readNBytes(most);
      }
      if (name.endsWith(".gz")) {
        return new GZIPInputStream(raw).readNBytes(most);
      }
      ZipInputStream zip = new ZipInputStream(raw);
      return zip.getNextEntry() == null ? null : zip.readNBytes(most);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
