package dev.forebay.otlp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Sends requests with the JDK's client, one at a time, and reads the answers. Its threads end after
 * it is no longer reachable. For the shipper's thread.
 */
final class OtlpClient {

  /** A receiver that asks for more gets its next request after this. */
  private static final long MOST_WAIT_MS = 300_000;

  private final OtlpSettings settings;
  private final InstantSource wall;
  private final HttpClient client;

  /**
   * Reads the certificates.
   *
   * @throws IOException if one of them cannot be used
   */
  OtlpClient(OtlpSettings settings, InstantSource wall) throws IOException {
    this.settings = settings;
    this.wall = wall;
    boolean isEncrypted = Endpoint.isHttps(settings.endpoint());
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            // Without encryption version 2 would be offered by an upgrade, which few servers know.
            .version(isEncrypted ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
    SSLContext context = isEncrypted ? Certificates.context(settings) : null;
    if (context != null) {
      builder.sslContext(context);
    }
    String proxy = settings.proxy();
    if (proxy != null) {
      int colon = proxy.lastIndexOf(':');
      String host = proxy.substring(0, colon).replaceAll("[\\[\\]]", "");
      int port = Integer.parseInt(proxy.substring(colon + 1));
      builder.proxy(ProxySelector.of(InetSocketAddress.createUnresolved(host, port)));
    }
    client = builder.build();
  }

  /**
   * Waits for the answer.
   *
   * @throws IOException if there is none; its message is for the user, without secrets
   */
  Answer send(byte[] body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(settings.endpoint())
            .header("User-Agent", "forebay-otlp")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    settings.headers().forEach(request::setHeader);
    request.setHeader("Content-Type", "application/x-protobuf");
    if (settings.isCompressed()) {
      request.setHeader("Content-Encoding", "gzip");
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request.build(), unused -> new ShortBody());
    boolean interrupted = Thread.interrupted(); // kept, as by all that this thread waits for
    try {
      return answer(answer.get(settings.timeoutMs(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) { // the client's own limit ends with the headers of the answer
      throw new IOException("no answer within %d ms".formatted(settings.timeoutMs()));
    } catch (ExecutionException e) {
      throw new IOException(settings.hiding(reason(e)));
    } catch (InterruptedException e) {
      interrupted = true;
      throw new IOException("interrupted", e);
    } finally {
      answer.cancel(true);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A failure with its causes, of which the innermost says most. */
  private static String reason(ExecutionException failure) {
    StringBuilder all = new StringBuilder("no answer");
    for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
      String message = t.getMessage(); // many of the client's have none
      String told = t.getClass().getSimpleName() + (message == null ? "" : ": " + message);
      if (all.indexOf(told) < 0) {
        all.append(": ").append(told);
      }
    }
    return all.toString();
  }

  private Answer answer(HttpResponse<byte[]> response) {
    HttpHeaders headers = response.headers();
    String type = headers.firstValue("Content-Type").orElse("");
    long waitMs = headers.firstValue("Retry-After").map(this::waitMs).orElse(-1L);
    Answer answer = Answer.of(response.statusCode(), type, response.body(), waitMs, settings);
    if (response.statusCode() / 100 == 3) {
      String location = headers.firstValue("Location").orElse("");
      URI to = Endpoint.parse(location);
      String where = to == null ? "" : "to " + to.getScheme() + "://" + OtlpSettings.place(to);
      return new Answer(answer.status(), answer.fate(), 0, Answer.shown(where, settings), -1);
    }
    return answer;
  }

  /** Of seconds or a date. */
  private long waitMs(String retryAfter) {
    long ms;
    try {
      ms = Math.multiplyExact(1000, Long.parseLong(retryAfter.trim()));
    } catch (ArithmeticException e) {
      ms = MOST_WAIT_MS;
    } catch (NumberFormatException e) {
      try {
        Instant at = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(retryAfter.trim()));
        ms = Duration.between(wall.instant(), at).toMillis();
      } catch (DateTimeParseException unreadable) {
        return -1;
      }
    }
    return Math.max(0, Math.min(MOST_WAIT_MS, ms));
  }

  /** The begin of an answer: more is none of a receiver. */
  private static final class ShortBody implements HttpResponse.BodySubscriber<byte[]> {

    private static final int MOST_BYTES = 64 * 1024;

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public CompletionStage<byte[]> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
      for (ByteBuffer part : parts) {
        byte[] begin = new byte[Math.min(part.remaining(), MOST_BYTES - bytes.size())];
        part.get(begin);
        bytes.write(begin, 0, begin.length);
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      body.complete(bytes.toByteArray());
    }
  }
}
