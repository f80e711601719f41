package dev.forebay.it.tool;

import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the tool's jar in a JVM of its own. */
public final class Tool {

  private static final long PATIENCE_S = 120;

  /** What one run ended with. */
  public record Run(int exitCode, String out, String err) {

    public List<String> lines() {
      return out.lines().toList();
    }
  }

  /** The spools of a test's only log. */
  record Facts(List<SpoolFacts> spools) {

    /** Whether the only spool has so many records, shipped or not. */
    boolean endsAt(long sequence) {
      return spools.size() == 1 && spools.get(0).endSequence() == sequence;
    }
  }

  private Tool() {}

  static Facts facts(Places places) throws IOException {
    List<LogSpools> logs = LogSpools.below(places.spool());
    return new Facts(logs.isEmpty() ? List.of() : logs.get(0).facts(SpoolFacts.Kind.SPOOL));
  }

  public static Path jar() {
    Path jar = Path.of("..", "appender-tiered", "tool", "target", "forebay.jar").toAbsolutePath();
    if (!Files.exists(jar)) {
      throw new AssertionError(jar + " is missing: mvn package -DskipTests -pl '!benchmarks'");
    }
    return jar.normalize();
  }

  /** Runs a verb to its end. */
  public static Run run(Object... arguments) throws IOException, InterruptedException {
    return run(List.of(), jar(), arguments);
  }

  /** The same with the spools of a test. */
  static Run run(Places places, Object... arguments) throws IOException, InterruptedException {
    return run(with(places, arguments));
  }

  /** These arguments, and where the spools of a test are. */
  static Object[] with(Places places, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--spool-directory", places.spool()));
    return all.toArray();
  }

  /** The tool in a process that the test looks at. */
  public static Program start(Places places, Object... arguments) throws IOException {
    return Program.start(
        places.directory("tool"), command(List.of(), jar(), with(places, arguments)));
  }

  /** The same within another command, and with a copy of the jar. */
  public static Run run(List<String> around, Path jar, Object... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("forebay-tool", ".out");
    Path err = Files.createTempFile("forebay-tool", ".err");
    try {
      Process process =
          new ProcessBuilder(command(around, jar, arguments))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            List.of(arguments) + " hangs: " + Files.readString(out) + Files.readString(err));
      }
      return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  static List<String> command(List<String> around, Path jar, Object... arguments) {
    List<String> command = new ArrayList<>(around);
    command.add(Program.ofJdk("java"));
    command.addAll(Program.QUICK);
    command.addAll(List.of("-Xmx128m", "-jar", jar.toString()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return command;
  }
}
