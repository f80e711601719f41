package dev.forebay.it.agent;

import dev.forebay.it.support.Places;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The agent as a user has it. */
public final class AgentJar {

  private AgentJar() {}

  public static Path path() {
    Path jar =
        Path.of("..", "appender-tiered", "agent", "target", "forebay-agent.jar").toAbsolutePath();
    if (!Files.exists(jar)) {
      throw new AssertionError(jar + " is missing: mvn package -DskipTests -pl '!benchmarks'");
    }
    return jar.normalize();
  }

  /** The arguments for what {@link Truth} also writes. */
  static String arguments(Path log, Places places) {
    return String.join(
        ",",
        List.of(
            "file=" + log,
            "spoolDirectory=" + places.spool(),
            "what=" + Truth.WHAT.replace(',', ':'),
            "decorators=" + Truth.DECORATORS));
  }

  static String option(String arguments) {
    return "-javaagent:" + path() + "=" + arguments;
  }
}
