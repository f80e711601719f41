package dev.forebay.it.otlp;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Collector;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Servers;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What takes OTLP at one port, dies and lives again, and keeps each record in a file before it
 * answers: OpenTelemetry's collector, or a {@link StubCollector} where there is no Go.
 */
final class Receiver implements AutoCloseable {

  static final String PATH = "/v1/logs";
  static final String READY = "Everything is ready.";

  /** For a look at the tests of those who have no Go. */
  private static final boolean STUB =
      Boolean.getBoolean("forebay.otlp.stub") || !Command.exists("go");

  /**
   * A record as it came.
   *
   * @param uid its attribute {@code log.record.uid}
   */
  record Received(String body, String uid) {}

  private final Places places;
  private final int port;
  private final Path output;
  private int starts;
  private @Nullable Program program;

  private Receiver(Places places, int port) {
    this.places = places;
    this.port = port;
    this.output = places.root().resolve("received");
  }

  static Receiver in(Places places) throws Exception {
    if (!STUB) {
      Collector.need();
    }
    return new Receiver(places, Servers.freePort());
  }

  Receiver start() throws IOException {
    return STUB ? startStub() : startCollector("", "", "");
  }

  private Receiver startStub() throws IOException {
    Program stub =
        Program.start(
            directory(),
            List.of(),
            Program.classPath(),
            StubCollector.class.getName(),
            String.valueOf(port),
            output.toString());
    program = stub;
    stub.awaitSaid(READY);
    return this;
  }

  /**
   * Not a stub.
   *
   * @param more what its HTTP server has beside the address
   * @param processors all of them with their configurations
   * @param names of those that each record goes through
   */
  Receiver startCollector(String more, String processors, String names) throws IOException {
    String configuration =
        """
        receivers:
          otlp:
            protocols:
              http:
                endpoint: localhost:%d
        %s
        processors: {%s}
        %s
        service:
          telemetry: {metrics: {level: none}}
          pipelines:
            logs: {receivers: [otlp], processors: [%s], exporters: [file]}
        """
            .formatted(
                port,
                more.indent(8).stripTrailing(),
                processors,
                Collector.exporter(output),
                names);
    program = Collector.start(directory(), configuration);
    return this;
  }

  private Path directory() throws IOException {
    return places.directory("receiver" + starts++);
  }

  Program program() {
    Program running = program;
    if (running == null) {
      throw new AssertionError("not started");
    }
    return running;
  }

  void kill() throws Exception {
    program().kill();
  }

  /** The elements of an appender that sends to it. */
  String elements() {
    return elements("http", "");
  }

  /** The same with more elements of the destination. */
  String elements(String scheme, String inner) {
    return """
    <destination class="dev.forebay.otlp.OtlpDestination">
      <endpoint>%s://localhost:%d%s</endpoint><resource>service.name=it</resource>%s
    </destination>
    <spoolDirectory>%s</spoolDirectory><fsync>50 milliseconds</fsync>
    """
            .formatted(scheme, port, PATH, inner, places.spool())
        + Xml.MESSAGES;
  }

  /** In the order in which they came. */
  List<Received> records() throws IOException {
    List<Received> records = new ArrayList<>();
    for (JsonNode record : Collector.records(output)) {
      String uid = "";
      for (JsonNode attribute : record.path("attributes")) {
        if (attribute.path("key").asString().equals("log.record.uid")) {
          uid = attribute.path("value").path("stringValue").asString();
        }
      }
      records.add(new Received(record.path("body").path("stringValue").asString(), uid));
    }
    return records;
  }

  void awaitRecords(int count) throws IOException {
    Await.until(count + " records", () -> records().size() >= count);
  }

  @Override
  public void close() {
    if (program != null) {
      program.close();
    }
  }
}
