package dev.forebay.tiered.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** What the end of an archive tells, and what it does not. */
class ArchiveSealTest {
  @TempDir Path dir;

  private Path original(int seed, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return Files.write(dir.resolve("original" + seed), content);
  }

  private Path packed(Path original, String ending) throws IOException {
    Path packed = dir.resolve("packed" + ending);
    byte[] content = Files.readAllBytes(original);
    try (OutputStream file = Files.newOutputStream(packed)) {
      switch (ending) {
        case ".gz" -> {
          try (OutputStream out = new GZIPOutputStream(file)) {
            out.write(content);
          }
        }
        case ".zip" -> {
          try (ZipOutputStream out = new ZipOutputStream(file)) {
            out.putNextEntry(new ZipEntry("x"));
            out.write(content);
          }
        }
        default -> {
          try (OutputStream out = new XZOutputStream(file, new LZMA2Options(0))) {
            out.write(content);
          }
        }
      }
    }
    return packed;
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".zip"})
  void itIsRightForTheOriginalAlone(String ending) throws IOException {
    for (int length : new int[] {0, 1, 200_000}) {
      Path original = original(1, length);
      Path packed = packed(original, ending);
      assertThat(ArchiveSeal.isRight(packed, original)).as("%d bytes", length).isTrue();
      assertThat(ArchiveSeal.isRight(packed, original(2, length + 1))).isFalse();
      if (length > 0) {
        assertThat(ArchiveSeal.isRight(packed, original(2, length))).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".zip"})
  void whatIsCutShortHasNone(String ending) throws IOException {
    Path original = original(1, 1_000);
    byte[] whole = Files.readAllBytes(packed(original, ending));
    for (int length = 0; length < whole.length; length += 1 + length / 40) {
      Path cut = Files.write(dir.resolve("cut" + ending), Arrays.copyOf(whole, length));
      assertThat(ArchiveSeal.isRight(cut, original)).as("%d bytes", length).isFalse();
    }
    Path zeros = Files.write(dir.resolve("zeros" + ending), new byte[whole.length]);
    assertThat(ArchiveSeal.isRight(zeros, original)).isFalse();
  }

  @Test
  void anXzFileHasNoneThatIsKnown() throws IOException {
    Path original = original(1, 1_000);
    assertThat(ArchiveSeal.isRight(packed(original, ".xz"), original)).isFalse();
    assertThat(ArchiveContent.of(packed(original, ".xz"), original))
        .isEqualTo(ArchiveContent.WHOLE);
  }

  /** As a power cut may leave it: that is why recovery unpacks. */
  @ParameterizedTest
  @ValueSource(strings = {".gz", ".zip"})
  void aHoleBeforeItIsNotNoticed(String ending) throws IOException {
    Path original = original(1, 200_000);
    Path packed = packed(original, ending);
    byte[] bytes = Files.readAllBytes(packed);
    Arrays.fill(bytes, 50_000, 60_000, (byte) 0);
    Files.write(packed, bytes);

    assertThat(ArchiveSeal.isRight(packed, original)).isTrue();
    assertThat(ArchiveContent.of(packed, original)).isNotEqualTo(ArchiveContent.WHOLE);
  }
}
