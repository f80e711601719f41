package dev.forebay.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Commands of the operating system. */
final class Shell {

  private Shell() {}

  /** Runs a command to its end; its exit code. */
  static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Whether a command can be found. */
  static boolean exists(String command) throws IOException, InterruptedException {
    return run("sh", "-c", "command -v \"$0\"", command) == 0;
  }

  /** Runs a command that must succeed. */
  static void must(String... command) throws IOException, InterruptedException {
    int code = run(command);
    if (code != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + code);
    }
  }

  /** Skips the test unless this user is root. */
  static void assumeRoot(String why) throws IOException {
    boolean root =
        Files.isDirectory(Path.of("/proc/self"))
            && Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    assumeTrue(root, "needs root: " + why);
  }
}
