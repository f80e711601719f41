package dev.forebay.benchmarks.lab.host;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The agent's jar, which lies in that of the benchmarks as users have it. */
final class AgentJar {

  private static final String NAME = "forebay-agent.jar";

  private AgentJar() {}

  /** Whether it is there: not among the classes that it is packed with. */
  static boolean isThere() {
    return resource() != null;
  }

  /** Where it is, or would be, in a directory. */
  static Path in(Path directory) {
    return directory.resolve(NAME).toAbsolutePath();
  }

  /** Puts it into a directory. */
  static void extract(Path directory) throws IOException {
    URL jar = resource();
    if (jar == null) {
      throw new FileNotFoundException("Not in the benchmarks' jar: " + NAME);
    }
    try (InputStream content = jar.openStream()) {
      Files.copy(content, in(directory));
    }
  }

  private static @Nullable URL resource() {
    return AgentJar.class.getResource("/" + NAME);
  }
}
