package dev.forebay.it.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes OTLP over HTTP where there is no Go for a collector, and writes of each record what tests
 * look at, as the collector's file exporter does.
 */
public final class StubCollector {

  private static final JsonMapper JSON = new JsonMapper();

  private StubCollector() {}

  /**
   * Works until it is killed.
   *
   * @param args port, output
   */
  public static void main(String[] args) throws IOException {
    FileChannel output =
        FileChannel.open(Path.of(args[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    var address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    HttpServer server = HttpServer.create(address, 0);
    server.createContext(Receiver.PATH, exchange -> take(exchange, output));
    server.start();
    System.out.println(Receiver.READY);
  }

  private static void take(HttpExchange exchange, FileChannel output) throws IOException {
    try (exchange) {
      var request =
          ExportLogsServiceRequest.parseFrom(new GZIPInputStream(exchange.getRequestBody()));
      List<Map<String, Object>> records =
          request.getResourceLogsList().stream()
              .flatMap(resource -> resource.getScopeLogsList().stream())
              .flatMap(scope -> scope.getLogRecordsList().stream())
              .map(StubCollector::fields)
              .toList();
      Map<String, Object> all =
          Map.of(
              "resourceLogs", List.of(Map.of("scopeLogs", List.of(Map.of("logRecords", records)))));
      output.write(ByteBuffer.wrap((JSON.writeValueAsString(all) + "\n").getBytes(UTF_8)));
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static Map<String, Object> fields(LogRecord record) {
    return Map.of(
        "body",
        Map.of("stringValue", record.getBody().getStringValue()),
        "attributes",
        record.getAttributesList().stream()
            .map(
                each ->
                    Map.of(
                        "key",
                        each.getKey(),
                        "value",
                        Map.of("stringValue", each.getValue().getStringValue())))
            .toList());
  }
}
