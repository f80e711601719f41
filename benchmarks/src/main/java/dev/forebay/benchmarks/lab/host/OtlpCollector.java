package dev.forebay.benchmarks.lab.host;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.forebay.host.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** OpenTelemetry's collector on this machine, as the integration tests have built it. */
final class OtlpCollector implements AutoCloseable {

  private static final Path BINARY =
      Path.of(System.getProperty("lab.collector", "it/servers/collector/target/collector"));

  /** What it counts since its start. */
  private static final Pattern ACCEPTED =
      Pattern.compile("(?m)^otelcol_receiver_accepted_log_records\\S*(?:\\{.*})? (\\S+)$");

  private final Process process;
  private final int port;
  private final int metricsPort;

  private OtlpCollector(Process process, int port, int metricsPort) {
    this.process = process;
    this.port = port;
    this.metricsPort = metricsPort;
  }

  /** Starts one with this exporter, and waits until it works. */
  static OtlpCollector start(Path directory, String exporter) throws IOException {
    if (!Files.isExecutable(BINARY)) {
      throw new IOException(
          BINARY + " is missing: run `go build -o target/collector .` in it/servers/collector");
    }
    int port = freePort();
    int metricsPort = freePort();
    Path configuration =
        Files.writeString(
            directory.resolve("collector.yaml"),
            """
            receivers: {otlp: {protocols: {http: {endpoint: "localhost:%d"}}}}
            exporters: {%s}
            service:
              telemetry:
                metrics:
                  level: basic
                  readers: [{pull: {exporter: {prometheus: {host: localhost, port: %d}}}}]
              pipelines: {logs: {receivers: [otlp], exporters: [%s]}}
            """
                .formatted(
                    port, exporter, metricsPort, exporter.substring(0, exporter.indexOf(':'))));
    Path log = directory.resolve("collector.log");
    OtlpCollector collector =
        new OtlpCollector(
            new ProcessBuilder(
                    List.of(
                        BINARY.toAbsolutePath().toString(), "--config", configuration.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start(),
            port,
            metricsPort);
    Await.process(
        "the collector is up: " + log, () -> Files.readString(log).contains("Everything is ready"));
    return collector;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String endpoint() {
    return "http://localhost:" + port + "/v1/logs";
  }

  /** Records that it has taken so far. */
  long accepted() throws IOException {
    URI metrics = URI.create("http://localhost:" + metricsPort + "/metrics");
    String text = new String(metrics.toURL().openStream().readAllBytes(), ISO_8859_1);
    Matcher matcher = ACCEPTED.matcher(text);
    return matcher.find() ? (long) Double.parseDouble(matcher.group(1)) : 0;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
