package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.forebay.host.Await;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsPartialSuccess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** What takes OTLP, or does not, as a test says. Keeps what it has answered with success. */
final class Collector implements AutoCloseable {

  /** An answer; null for a connection that is cut before it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Reply(int status, String type, byte[] body, String... header) {

    static final Reply TAKEN = new Reply(200, "application/x-protobuf", new byte[0]);

    static Reply of(int status, String text, String... header) {
      return new Reply(status, "text/plain", text.getBytes(UTF_8), header);
    }

    static Reply partial(long rejected, String message) {
      ExportLogsPartialSuccess part =
          ExportLogsPartialSuccess.newBuilder()
              .setRejectedLogRecords(rejected)
              .setErrorMessage(message)
              .build();
      byte[] all =
          ExportLogsServiceResponse.newBuilder().setPartialSuccess(part).build().toByteArray();
      return new Reply(200, "application/x-protobuf", all);
    }
  }

  /** A request as it came. */
  record Request(URI uri, Headers headers, ExportLogsServiceRequest logs, String protocol) {

    List<LogRecord> records() {
      return logs.getResourceLogsList().stream()
          .flatMap(resource -> resource.getScopeLogsList().stream())
          .flatMap(scope -> scope.getLogRecordsList().stream())
          .toList();
    }

    List<String> bodies() {
      return records().stream().map(record -> record.getBody().getStringValue()).toList();
    }

    List<String> uids() {
      return records().stream().map(record -> text(record, LogRequest.UID)).toList();
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Request> all = new ArrayList<>();
  private final List<Request> taken = new ArrayList<>();
  private volatile Function<Request, @Nullable Reply> script = request -> Reply.TAKEN;
  private volatile boolean hangs;

  static {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else each answer takes 40 ms
  }

  private Collector(HttpServer server) {
    this.server = server;
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  static Collector start() throws IOException {
    return start(0);
  }

  static Collector start(int port) throws IOException {
    return new Collector(HttpServer.create(local(port), 0));
  }

  static Collector start(SSLContext context, boolean wantsCertificate) throws IOException {
    HttpsServer server = HttpsServer.create(local(0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = context.getDefaultSSLParameters();
            wanted.setNeedClientAuth(wantsCertificate);
            parameters.setSSLParameters(wanted);
          }
        });
    return new Collector(server);
  }

  private static InetSocketAddress local(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  int port() {
    return server.getAddress().getPort();
  }

  String endpoint() {
    return (server instanceof HttpsServer ? "https" : "http")
        + "://localhost:"
        + port()
        + "/v1/logs";
  }

  /** How it answers from now on; any thread. */
  void answer(Function<Request, @Nullable Reply> how) {
    script = how;
  }

  /** From now on it takes requests and does not answer. */
  void hang() {
    hangs = true;
  }

  private void handle(HttpExchange exchange) throws IOException {
    Request request = read(exchange);
    synchronized (this) {
      all.add(request);
    }
    if (hangs) {
      try {
        end.await();
      } catch (InterruptedException e) {
        // It ends.
      }
      exchange.close();
      return;
    }
    Reply reply = script.apply(request);
    if (reply == null) {
      exchange.close();
      return;
    }
    if (reply.status == 200) {
      synchronized (this) {
        taken.add(request);
      }
    }
    exchange.getResponseHeaders().set("Content-Type", reply.type);
    for (int i = 0; i < reply.header.length; i += 2) {
      exchange.getResponseHeaders().set(reply.header[i], reply.header[i + 1]);
    }
    exchange.sendResponseHeaders(reply.status, reply.body.length == 0 ? -1 : reply.body.length);
    exchange.getResponseBody().write(reply.body);
    exchange.close();
  }

  private static Request read(HttpExchange exchange) throws IOException {
    boolean isCompressed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    InputStream in = exchange.getRequestBody();
    byte[] body = (isCompressed ? new GZIPInputStream(in) : in).readAllBytes();
    return new Request(
        exchange.getRequestURI(),
        exchange.getRequestHeaders(),
        ExportLogsServiceRequest.parseFrom(body),
        exchange.getProtocol());
  }

  /** All requests so far, whatever became of them. */
  synchronized List<Request> requests() {
    return List.copyOf(all);
  }

  /** The bodies of all records that were taken. */
  synchronized List<String> bodies() {
    return taken.stream().flatMap(request -> request.bodies().stream()).toList();
  }

  synchronized List<String> uids() {
    return taken.stream().flatMap(request -> request.uids().stream()).toList();
  }

  void awaitRequests(int count) {
    Await.until(count + " requests", () -> requests().size() >= count);
  }

  void awaitRecords(int count) {
    Await.until(count + " records of " + bodies(), () -> bodies().size() >= count);
  }

  /** A text attribute of a record; "" without it. */
  static String text(LogRecord record, String name) {
    return record.getAttributesList().stream()
        .filter(each -> each.getKey().equals(name))
        .map(KeyValue::getValue)
        .findFirst()
        .map(value -> value.getStringValue())
        .orElse("");
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
