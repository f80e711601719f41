package dev.forebay.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processes of this machine, as {@code /proc} shows them. */
final class Running {

  private static final Path PROC = Path.of("/proc");

  private Running() {}

  /** The process of this number, which must exist. */
  static long require(String digits) {
    Path directory = PROC.resolve(digits);
    if (!Files.isDirectory(directory)) {
      throw ToolException.notFound(
          "no process " + digits + "; \"forebay ls\" lists the processes that have spools");
    }
    return Long.parseLong(digits);
  }

  /** Its command line; empty if that may not be read. */
  static List<String> commandLine(long pid) {
    try {
      String text =
          Files.readString(
              PROC.resolve(Long.toString(pid)).resolve("cmdline"), StandardCharsets.ISO_8859_1);
      return List.of(text.split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** What a JVM runs: its main class or jar. */
  static String program(List<String> commandLine) {
    boolean isValue = false;
    for (String word : commandLine.subList(Math.min(1, commandLine.size()), commandLine.size())) {
      if (!isValue && !word.startsWith("-") && !word.startsWith("@")) {
        return word.substring(word.lastIndexOf('/') + 1);
      }
      isValue = List.of("-cp", "-classpath", "--class-path", "-p", "--module-path").contains(word);
    }
    return "";
  }
}
