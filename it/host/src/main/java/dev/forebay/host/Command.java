package dev.forebay.host;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Commands of the operating system, with a limit that only a command that hangs reaches. */
public final class Command {

  private static final long LIMIT_SECONDS = 120;
  private static final int NO_SUCH_PROGRAM = 127; // as the shell has it
  private static final Path OWN_PROCESS = Path.of("/proc/self");

  private record Outcome(int exitCode, String output) {}

  private Command() {}

  /** Whether a program of this name is on the search path. */
  public static boolean exists(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** Whether this process may do what root may, on Linux. */
  public static boolean isRoot() {
    try {
      return Integer.valueOf(0).equals(Files.getAttribute(OWN_PROCESS, "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Runs a command that must succeed; its output, without white space around it. */
  public static String run(String... command) throws IOException {
    Outcome outcome = outcome(command);
    if (outcome.exitCode != 0) {
      throw new IOException(
          String.join(" ", command) + " ended with " + outcome.exitCode + ": " + outcome.output);
    }
    return outcome.output;
  }

  /** Runs a command that may fail; its exit code, 127 if there is no such program. */
  public static int exitCode(String... command) throws IOException {
    boolean isThere = command[0].contains("/") || exists(command[0]);
    return isThere ? outcome(command).exitCode : NO_SUCH_PROGRAM;
  }

  /** Output goes to a file: a pipe would have to be read until the last child has closed it. */
  private static Outcome outcome(String... command) throws IOException {
    Path output = Files.createTempFile("forebay-command", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        process.getOutputStream().close();
        boolean isDone = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        String said = Files.readString(output, StandardCharsets.UTF_8).strip();
        if (!isDone) {
          throw new IOException(
              String.join(" ", command) + " took more than " + LIMIT_SECONDS + " s: " + said);
        }
        return new Outcome(process.exitValue(), said);
      } finally {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for " + command[0], e);
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
