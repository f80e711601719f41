package dev.forebay.it.gatling;

import dev.forebay.host.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What numbers depend on beside the code. */
final class GatlingMachine {

  /** The properties of a comparison begin so. */
  static final String PROPERTIES = "forebay.gatling.";

  private static final String UNKNOWN = "unknown";

  private GatlingMachine() {}

  /** A list in Markdown. */
  static List<String> description() throws InterruptedException {
    return List.of(
        "- begun: " + Instant.now() + ", load average " + first("/proc/loadavg", ""),
        "- machine: "
            + Runtime.getRuntime().availableProcessors()
            + " × "
            + first("/proc/cpuinfo", "model name")
            + ", "
            + first("/proc/meminfo", "MemTotal")
            + ", Linux "
            + System.getProperty("os.version"),
        "- JVM of all processes: " + Runtime.version(),
        "- commit: " + said("git", "rev-parse", "--short", "HEAD") + changes(),
        "- command: `mvn -Pgatling verify" + options() + "`");
  }

  private static String changes() throws InterruptedException {
    return said("git", "status", "--porcelain").isEmpty() ? "" : ", with changes";
  }

  private static String options() {
    return new TreeMap<>(System.getProperties())
        .entrySet().stream()
            .filter(property -> property.getKey().toString().startsWith(PROPERTIES))
            .map(property -> " -D" + property.getKey() + "=" + property.getValue())
            .collect(Collectors.joining());
  }

  private static String said(String... command) throws InterruptedException {
    try {
      return Command.run(command);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** The first line that begins so, behind its colon if it has one. */
  private static String first(String file, String start) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(start))
          .findFirst()
          .map(line -> line.substring(start.isEmpty() ? 0 : line.indexOf(':') + 1).strip())
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
