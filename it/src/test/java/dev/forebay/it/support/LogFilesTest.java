package dev.forebay.it.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the death of a process that packs its archives leaves. */
class LogFilesTest {

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(directory.resolve("app.log"), "third\n");
  }

  private void source(String content) throws IOException {
    Files.writeString(directory.resolve("app-2026-01-01.0.log12345.tmp"), content);
  }

  private void packed(int counter, byte[] content) throws IOException {
    Files.write(directory.resolve("app-2026-01-01." + counter + ".log.gz"), content);
  }

  private static byte[] gzip(String content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private LogFiles files() {
    return LogFiles.of(directory.resolve("app.log"));
  }

  @Test
  void readsASourceInPlaceOfItsPackedPart() throws IOException {
    source("first\n");
    for (int length : new int[] {0, 5, 12, gzip("first\n").length}) {
      packed(0, Arrays.copyOf(gzip("first\n"), length));
      packed(1, gzip("second\n"));

      assertThat(files().lines()).containsExactly("first", "second", "third");
    }
  }

  @Test
  void failsWhereAPartIsAllThereIs() throws IOException {
    packed(0, Arrays.copyOf(gzip("first\n"), 12));

    assertThatThrownBy(() -> files().lines()).isInstanceOf(EOFException.class);
  }
}
