package dev.forebay.tiered.disk;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A small file by which the system tells something. Read as a stream, because a channel needs
 * direct memory, which others in this process may have taken.
 */
public final class SystemFile {

  private SystemFile() {}

  /** What is in it, as UTF-8. */
  public static String read(Path file) throws IOException {
    try (InputStream in = new FileInputStream(file.toFile())) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
