package dev.forebay.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, with the class path of the test. */
public final class ChildJvm {

  /** Less than a test may take. */
  private static final long DEADLINE_S = 110;

  private ChildJvm() {}

  /** Runs to the end, which has to be a good one, and gives what it printed. */
  public static String run(Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return run(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), main, arguments);
  }

  /** The same with options of the JVM, which has a heap of 128 MB unless they say otherwise. */
  public static String run(List<String> options, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = command(options, main, arguments);
    Path output = Files.createTempFile("child", ".out"); // a pipe would be read without a deadline
    Process child =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean hasEnded = child.waitFor(DEADLINE_S, TimeUnit.SECONDS);
      String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
      if (!hasEnded || child.exitValue() != 0) {
        String end = hasEnded ? "ended with " + child.exitValue() : "hangs";
        throw new AssertionError(main + " " + end + ": " + said);
      }
      return said;
    } finally {
      child.destroyForcibly();
      Files.delete(output);
    }
  }

  /** The command that does it. */
  public static List<String> command(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }
}
