package dev.forebay.tool;

import static dev.forebay.tool.ShipRig.log;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.ShippedLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MetricsTest {

  private static final String GET = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String TEXT = "forebay_ship_missing 0\n";

  private final ShipRig rig = new ShipRig();
  private final AtomicLong skipNs = new AtomicLong();
  private final NanoClock clock = () -> NanoClock.SYSTEM.nanoTime() + skipNs.get();
  @TempDir private Path directory;

  private MetricsServer at(SocketAddress address) throws IOException {
    MetricsServer server = new MetricsServer(address, () -> TEXT, clock);
    server.start();
    return server;
  }

  private UnixDomainSocketAddress socket() {
    return UnixDomainSocketAddress.of(directory.resolve("metrics.sock"));
  }

  private static String read(SocketChannel client) throws IOException {
    return new String(Channels.newInputStream(client).readAllBytes(), UTF_8);
  }

  private static String ask(SocketAddress server, String request) throws IOException {
    try (SocketChannel client = SocketChannel.open(server)) {
      int unused = client.write(ByteBuffer.wrap(request.getBytes(UTF_8)));
      return read(client);
    }
  }

  @Test
  void eachLogHasItsMeters() {
    rig.set(
        log("a", 12, 3),
        new ShippedLog(
            "/l/\"b\\\n", Path.of("/s/b"), ShippedLog.State.REFUSED, 1, 5, 2, 0, 0, "full"));
    rig.missing = 1;
    assertThat(MetricsText.of(rig).lines())
        .contains(
            "# TYPE forebay_events_total counter",
            "forebay_events_total{log=\"/var/log/a\",directory=\"/dev/shm/forebay-7/a\",outcome=\"delivered\"} 12",
            "forebay_inflight_events{log=\"/var/log/a\",directory=\"/dev/shm/forebay-7/a\"} 3",
            "forebay_longest_wait_seconds{log=\"/var/log/a\",directory=\"/dev/shm/forebay-7/a\"} 1.500",
            "forebay_degraded{log=\"/var/log/a\",directory=\"/dev/shm/forebay-7/a\"} 0",
            "forebay_degraded{log=\"/l/\\\"b\\\\\\n\",directory=\"/s/b\"} 1",
            "forebay_dropped_events_total{log=\"/l/\\\"b\\\\\\n\",directory=\"/s/b\",reason=\"REFUSED\"} 2",
            "forebay_dropped_events_total{log=\"/l/\\\"b\\\\\\n\",directory=\"/s/b\",reason=\"SPOOL_LOST\"} 3",
            "forebay_ship_logs{state=\"shipping\"} 1",
            "forebay_ship_logs{state=\"refused\"} 1",
            "forebay_ship_missing 1");
  }

  @Test
  void prometheusFindsNothingWrong() throws Exception {
    rig.set(log("a", 12, 3), log("b\"\\\n", 0, 0));
    Path text = Files.writeString(directory.resolve("metrics"), MetricsText.of(rig));
    Process promtool;
    try {
      promtool =
          new ProcessBuilder("promtool", "check", "metrics")
              .redirectInput(text.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      assumeTrue(false, "promtool is not installed: apt-get install prometheus");
      return;
    }
    String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
    assertThat(promtool.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
  }

  @Test
  void aPortIsScraped() throws Exception {
    try (MetricsServer server = at(MetricsAddress.parse("127.0.0.1:0"))) {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(server.where())).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(TEXT);
      assertThat(answer.headers().firstValue("Content-Type"))
          .hasValue("text/plain; version=0.0.4; charset=utf-8");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET /metrics HTTP/1.1, 200 OK",
    "GET /metrics?x=y HTTP/1.0, 200 OK",
    "HEAD /metrics HTTP/1.1, 200 OK",
    "GET / HTTP/1.1, 404 Not Found",
    "POST /metrics HTTP/1.1, 405 Method Not Allowed",
    "nonsense, 400 Bad Request"
  })
  void onlyThePageIsServed(String request, String status) throws Exception {
    try (MetricsServer server = at(socket())) {
      String answer = ask(socket(), request + "\r\n\r\n");
      assertThat(answer).startsWith("HTTP/1.1 " + status + "\r\n");
      assertThat(answer.endsWith(TEXT)).isEqualTo(request.startsWith("GET /metrics"));
      assertThat(server.where()).isEqualTo("unix:" + directory.resolve("metrics.sock"));
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aClientThatCannotBeAnsweredIsLeftAndTheNextOneAnswered() throws Exception {
    AtomicLong asked = new AtomicLong();
    String large = TEXT.repeat(100_000);
    Supplier<String> scarce =
        () -> {
          if (asked.getAndIncrement() == 0) {
            throw new OutOfMemoryError("Cannot reserve 16384 bytes of direct buffer memory");
          }
          return large;
        };
    try (MetricsServer server = new MetricsServer(socket(), scarce, clock)) {
      server.start();
      assertThat(ask(socket(), GET)).isEmpty();
      assertThat(ask(socket(), GET)).endsWith(large);
    }
  }

  @Test
  void aRequestWithoutEndIsBounded() throws Exception {
    try (MetricsServer server = at(socket())) {
      assertThat(server).isNotNull();
      assertThat(ask(socket(), "GET /" + "x".repeat(8 * 1024 - 5))).startsWith("HTTP/1.1 431 ");
    }
  }

  @Test
  void silentClientsHoldUpNobodyAndAreLeft() throws Exception {
    List<SocketChannel> silent = new ArrayList<>();
    try (MetricsServer server = at(socket())) {
      assertThat(server).isNotNull();
      for (int i = 0; i < 10; i++) {
        silent.add(SocketChannel.open(socket()));
      }
      assertThat(ask(socket(), GET)).endsWith(TEXT);
      skipNs.set(TimeUnit.SECONDS.toNanos(6));
      for (SocketChannel one : silent) {
        assertThat(read(one)).isEmpty();
      }
    } finally {
      silent.forEach(MetricsTest::close);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theSocketOfAKilledProcessIsReplacedAndNoOtherFile() throws Exception {
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(socket());
      assertThatThrownBy(() -> at(socket())).hasMessageContaining("another process listens at ");
    }
    assertThat(socket().getPath()).exists();
    at(socket()).close();
    Files.writeString(socket().getPath(), "precious");
    assertThatThrownBy(() -> at(socket())).hasMessageContaining("exists and is no socket");
    assertThat(socket().getPath()).hasContent("precious");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unix:",
        "9464",
        "0.0.0.0:9464",
        "[::]:9464",
        "10.1.2.3:80",
        "127.0.0.1",
        "127.0.0.1:65536",
        "127.0.0.999:1",
        "example.com:80",
        ":80"
      })
  void otherMachinesAreNotAnswered(String address) {
    assertThatThrownBy(() -> MetricsAddress.parse(address))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("--metrics is \"" + address + "\": write unix:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:9464", "127.1.2.3:1", "[::1]:9464", "localhost:9464"})
  void thisMachineIs(String address) {
    assertThat(MetricsAddress.parse(address)).asString().contains(address.replaceAll(".*:", ":"));
  }
}
