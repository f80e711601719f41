package dev.forebay.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Processes of this machine, as {@code /proc} shows them. */
final class Running {

  static final int MAX_BYTES = 16 << 20;

  private static final Path PROC = Path.of("/proc");

  private Running() {}

  /** The directory of the process of this number, which must exist. */
  static Path require(String digits) {
    Path directory = PROC.resolve(digits);
    if (!Files.isDirectory(directory)) {
      throw ToolException.notFound(
          "no process " + digits + "; \"forebay ls\" lists the processes that have spools");
    }
    return directory;
  }

  /** What a process runs: its main class or jar; "" if that may not be read. */
  static String program(long pid) {
    try {
      return JvmCommand.of(words(PROC.resolve(Long.toString(pid))), "").program();
    } catch (IOException e) {
      return "";
    }
  }

  /** The command line of a process: at least one word. */
  static List<String> words(Path proc) throws IOException {
    return List.of(text(proc.resolve("cmdline")).split("\0", -1));
  }

  /**
   * A file of the system's; "" if there is none. Paths are bytes, which this keeps apart.
   *
   * @throws IOException also if it is longer than {@link #MAX_BYTES}
   */
  static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES);
      if (bytes.length == MAX_BYTES) {
        throw new IOException(file + " is too long: read " + Text.bytes(MAX_BYTES) + " of it");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
