package dev.forebay.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, with the class path of the test. */
public final class ChildJvm {

  private static final long DEADLINE_S = 60;

  private ChildJvm() {}

  /** Runs to the end, which has to be a good one, and gives what it printed. */
  public static String run(Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return run(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), main, arguments);
  }

  /** The same with options of the JVM, which has a heap of 128 MB unless they say otherwise. */
  public static String run(List<String> options, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!child.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
      child.destroyForcibly();
      throw new AssertionError(main + " hangs");
    }
    if (child.exitValue() != 0) {
      throw new AssertionError(main + " ended with " + child.exitValue() + ": " + output);
    }
    return output;
  }
}
