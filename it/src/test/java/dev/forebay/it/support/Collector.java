package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * OpenTelemetry's collector, from {@code it/servers/collector}. Go builds it when a test first
 * needs it, which takes minutes, and again when its sources have changed.
 */
public final class Collector {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Path SOURCES = Path.of("servers", "collector").toAbsolutePath();
  private static final Path BUILT = SOURCES.resolve("target");
  private static final Path BINARY = BUILT.resolve("collector");
  private static final long BUILD_MINUTES = 9;

  private Collector() {}

  /** Skips the test where there is no Go; builds the collector unless that was done. */
  public static void need() throws IOException, InterruptedException {
    assumeTrue(Command.exists("go"), "Go is needed: install Go 1.26 or newer");
    Files.createDirectories(BUILT);
    try (FileChannel lock =
        FileChannel.open(
            BUILT.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock(); // other JVMs run tests, too
      if (!isBuilt()) {
        build();
      }
    }
  }

  private static boolean isBuilt() throws IOException {
    if (!Files.exists(BINARY)) {
      return false;
    }
    try (Stream<Path> sources = Files.list(SOURCES)) {
      long built = Files.getLastModifiedTime(BINARY).toMillis();
      return sources
          .filter(Files::isRegularFile)
          .allMatch(source -> source.toFile().lastModified() <= built);
    }
  }

  private static void build() throws IOException, InterruptedException {
    Path log = BUILT.resolve("build.log");
    Path built = BUILT.resolve("new");
    Process go =
        new ProcessBuilder("go", "build", "-trimpath", "-o", built.toString(), ".")
            .directory(SOURCES.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!go.waitFor(BUILD_MINUTES, TimeUnit.MINUTES) || go.exitValue() != 0) {
        throw new AssertionError("the collector is not built: " + Files.readString(log));
      }
    } finally {
      go.destroyForcibly();
    }
    Files.move(built, BINARY, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Starts one in an existing directory, with more options, and waits until it works. */
  public static Program start(Path directory, String configuration, String... options)
      throws IOException {
    Path file = directory.resolve("collector.yaml");
    Files.writeString(file, configuration);
    List<String> command = new ArrayList<>(List.of(BINARY.toString(), "--config", file.toString()));
    command.addAll(List.of(options));
    Program collector = Program.start(directory, command);
    collector.awaitSaid("Everything is ready.");
    return collector;
  }

  /**
   * An exporter that writes to a file before it says that it has done so: without rotation it
   * writes what a buffer holds a second later, and a kill takes that with it.
   */
  public static String exporter(Path output) {
    return """
    exporters:
      file:
        path: %s
        rotation: {max_megabytes: 100000}
    """
        .formatted(output);
  }

  /** The log records that such an exporter has written. */
  public static List<JsonNode> records(Path output) throws IOException {
    List<JsonNode> records = new ArrayList<>();
    if (Files.exists(output)) {
      String text = Files.readString(output);
      // what it is writing follows the last line
      text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .flatMap(line -> each(JSON.readTree(line), "resourceLogs"))
          .flatMap(resource -> each(resource, "scopeLogs"))
          .flatMap(scope -> each(scope, "logRecords"))
          .forEach(records::add);
    }
    return records;
  }

  private static Stream<JsonNode> each(JsonNode node, String name) {
    return node.path(name).valueStream();
  }

  /** Their bodies, where these are texts. */
  public static List<String> bodies(Path output) throws IOException {
    return records(output).stream()
        .map(node -> node.path("body").path("stringValue").asString())
        .toList();
  }
}
