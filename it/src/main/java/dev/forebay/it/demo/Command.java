package dev.forebay.it.demo;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Short commands of the operating system, run with a time limit. The lab in {@code benchmarks} has
 * its own, so that neither module needs the other.
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

  /** Runs a command; throws with its output unless it succeeds. */
  static void run(String... command) throws IOException {
    Path output = Files.createTempFile("forebay-demo", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      process.getOutputStream().close();
      boolean isDone = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      if (!isDone || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(
            String.join(" ", command)
                + (isDone ? " failed: " : " took more than " + LIMIT_SECONDS + " s: ")
                + Files.readString(output, StandardCharsets.UTF_8).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for " + command[0], e);
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
