package dev.forebay.it.gatling;

import dev.forebay.host.Await;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Gatling in a process of its own, with the simulation of {@code it/gatling}. */
final class GatlingProcess implements AutoCloseable {

  /** How it ends when one request was not answered as it should. */
  static final int ASSERTION_FAILED = 2;

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String MODULE = "gatling";

  /** What Gatling says then. */
  private static final String BEGUN = "OrdersSimulation started";

  private static final int NATIVE_ACCESS_IS_ASKED_FOR = 24;

  private final Process process;
  private final Path output;
  private final Path results;

  private GatlingProcess(Process process, Path output, Path results) {
    this.process = process;
    this.output = output;
    this.results = results;
  }

  /**
   * Starts the load.
   *
   * @param home an empty directory for all that it writes
   * @param options of its JVM
   */
  static GatlingProcess start(String url, GatlingLoad load, Path home, String... options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    if (Runtime.version().feature() >= NATIVE_ACCESS_IS_ASKED_FOR) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-Xms256m", "-Xmx256m"));
    command.addAll(load.jvmOptions());
    command.add("-Djava.io.tmpdir=" + home);
    command.add("-Dload.url=" + url);
    command.add("-Dload.users=" + load.users());
    command.add("-Dload.requests=" + load.requests());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath(), "io.gatling.app.Gatling"));
    command.addAll(List.of("-s", "dev.forebay.it.gatling.OrdersSimulation"));
    Path results = home.resolve("results");
    command.addAll(List.of("-rf", results.toString()));
    Path output = home.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new GatlingProcess(process, output, results);
  }

  private static String classPath() throws IOException {
    Path target = Path.of(MODULE, "target").toAbsolutePath();
    Path jars = target.resolve("class-path");
    if (!Files.exists(jars)) {
      throw new AssertionError(jars + " is missing: mvn package -DskipTests -pl it -am");
    }
    return target.resolve("classes") + File.pathSeparator + Files.readString(jars);
  }

  /** Waits until it sends requests. */
  void awaitLoad() throws Exception {
    boolean said = Await.within(PATIENCE, () -> output().contains(BEGUN) || !process.isAlive());
    if (!said || !process.isAlive()) {
      throw new AssertionError("no load: " + output());
    }
  }

  /** Requests that start from now on have this name. */
  void tell(String phase) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((phase + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Waits for its end; the exit code. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("does not end: " + output());
    }
    return process.exitValue();
  }

  /** Its own numbers, by the name of the requests. */
  Map<String, GatlingReport.Row> report() throws IOException {
    try (Stream<Path> runs = Files.list(results)) {
      Path index = runs.findFirst().orElseThrow().resolve("index.html");
      return GatlingReport.parse(Files.readString(index));
    }
  }

  /** What it wrote to its standard output and error. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
