package dev.forebay.benchmarks.lab.host;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Short commands of the operating system, run with a time limit. The demo in {@code it} has its
 * own, so that neither module needs the other.
 */
final class Command {

  private static final long LIMIT_SECONDS = 30;

  private Command() {}

  /** Whether a program of this name is on the search path. */
  static boolean exists(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** Runs a command and returns its output; throws with the output unless it succeeds. */
  static String run(String... command) throws IOException {
    Path output = Files.createTempFile("forebay-lab", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      process.getOutputStream().close();
      boolean isDone = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (!isDone) {
        process.destroyForcibly();
      }
      String said = Files.readString(output, StandardCharsets.UTF_8).strip();
      if (!isDone || process.exitValue() != 0) {
        throw new IOException(
            String.join(" ", command)
                + (isDone ? " failed: " : " took more than " + LIMIT_SECONDS + " s: ")
                + said);
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for " + command[0], e);
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
