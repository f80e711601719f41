package dev.forebay.tiered.disk;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads a small file of system information. Uses a stream, because a channel needs direct memory,
 * which other code in this process may have exhausted.
 */
public final class SystemFile {

  private SystemFile() {}

  public static String read(Path file) throws IOException {
    try (InputStream in = new FileInputStream(file.toFile())) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
