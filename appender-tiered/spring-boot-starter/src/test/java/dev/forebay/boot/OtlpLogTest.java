package dev.forebay.boot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.core.status.Status;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.forebay.host.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log records sent by an application's properties. */
class OtlpLogTest extends Apps {

  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private String endpoint;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.start();
    endpoint = "http://localhost:" + server.getAddress().getPort() + "/v1/logs";
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1));
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private void awaitText(String part) {
    Await.until(part, () -> bodies.stream().anyMatch(body -> body.contains(part)));
  }

  @Test
  void anEndpointIsEnough() {
    start(
        "forebay.otlp.endpoint=" + endpoint,
        "forebay.otlp.compression=none",
        "forebay.otlp.headers.X-Key=k1",
        "forebay.otlp.resource.zone=z1, 100%",
        "spring.application.name=shop");
    root.info("hello");
    awaitText("hello");
    assertThat(bodies).allMatch(body -> body.contains("service.name") && body.contains("shop"));
    assertThat(bodies).allMatch(body -> body.contains("z1, 100%"));
    assertThat(keys).containsOnly("k1");
    assertThat(statuses(Status.WARN)).isEmpty();
    assertThat(file()).isNull();
  }

  @Test
  void aFileGetsTheEventsToo() throws Exception {
    startLogging("forebay.otlp.endpoint=" + endpoint, "forebay.otlp.compression=none");
    root.info("hello");
    awaitText("hello");
    end();
    assertThat(Files.readString(log)).contains("hello");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"management.otlp.logging", "management.opentelemetry.logging.export.otlp"})
  void thePropertiesOfBootAreHonoured(String prefix) {
    start(
        prefix + ".endpoint=" + endpoint,
        prefix + ".compression=none",
        prefix + ".headers.X-Key=k2",
        prefix + ".timeout=3s",
        "management.opentelemetry.resource-attributes.zone=z2");
    root.info("hello");
    awaitText("hello");
    assertThat(bodies).allMatch(body -> body.contains("zone") && body.contains("z2"));
    assertThat(keys).containsOnly("k2");
  }

  @Test
  void whatCannotBeUsedStopsTheStart() {
    assertThatThrownBy(() -> start("forebay.otlp.endpoint=localhost:4318"))
        .hasMessageContaining("<endpoint> of <destination> is \"localhost:4318\": must be");
  }

  @Test
  void switchedOffNothingIsSent() {
    start("forebay.otlp.endpoint=" + endpoint, "forebay.enabled=false");
    root.info("hello");
    end();
    assertThat(bodies).isEmpty();
  }
}
