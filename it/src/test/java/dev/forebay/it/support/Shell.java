package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Commands of the operating system. */
public final class Shell {

  private Shell() {}

  private static final int NO_SUCH_PROGRAM = 127; // as the shell has it

  /** Runs a command to its end; its exit code, 127 if there is no such program. */
  public static int run(String... command) throws IOException, InterruptedException {
    if (!command[0].contains("/") && !exists(command[0])) {
      return NO_SUCH_PROGRAM;
    }
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Runs a command that must succeed; what it says, without the last line end. */
  public static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + code + ": " + said);
    }
    return said.strip();
  }

  /** Whether there is such a program. */
  public static boolean exists(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /** A command with further arguments. */
  public static String[] join(String[] command, String... more) {
    return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
  }

  /** Runs a command that must succeed. */
  public static void must(String... command) throws IOException, InterruptedException {
    int code = run(command);
    if (code != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + code);
    }
  }

  /** Skips the test unless this user is root. */
  public static void assumeRoot(String why) throws IOException {
    boolean root =
        Files.isDirectory(Path.of("/proc/self"))
            && Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    assumeTrue(root, "root is needed: run the build as root (" + why + ")");
  }
}
