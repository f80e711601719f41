package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import dev.forebay.it.demo.app.PhaseHistograms;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one application at a fixed rate, whether or not it answers. A latency counts
 * from the moment at which a request was due: a slow answer cannot hide the wait of those behind.
 */
final class LoadGenerator implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** Longer than the stall and the time to catch up afterwards. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private static final double RAMP_FROM = 0.2;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_LIMIT)
          .build();
  private final String name;
  private final int port;
  private final long intervalNs;
  private final long rampNs;
  private final PhaseHistograms histograms = new PhaseHistograms();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean isSending = true;

  /** Written by the client's threads, the last one wins. */
  private volatile String lastFailure = "";

  private LoadGenerator(String name, int port, int requestsPerSecond, double rampSeconds) {
    this.name = name;
    this.port = port;
    this.intervalNs = TimeUnit.SECONDS.toNanos(1) / requestsPerSecond;
    this.rampNs = (long) (TimeUnit.SECONDS.toNanos(1) * rampSeconds);
  }

  /**
   * Starts sending to 127.0.0.1.
   *
   * @param name of the application, for messages
   * @param port where it listens
   * @param requestsPerSecond the rate
   * @param rampSeconds time in which the rate is reached, for applications that start cold
   */
  static LoadGenerator start(String name, int port, int requestsPerSecond, double rampSeconds) {
    LoadGenerator load = new LoadGenerator(name, port, requestsPerSecond, rampSeconds);
    Thread thread = new Thread(load::sendAtFixedRate, "demo-pace-" + name);
    thread.setDaemon(true);
    thread.start();
    return load;
  }

  private void sendAtFixedRate() {
    long startNs = System.nanoTime();
    long nextNs = startNs;
    while (isSending) {
      long waitNs = nextNs - System.nanoTime();
      if (waitNs > 0) {
        LockSupport.parkNanos(waitNs);
      } else {
        send(sent.incrementAndGet(), nextNs, histograms.phase());
        nextNs += intervalNs(nextNs - startNs);
      }
    }
  }

  /**
   * The distance to the next request, longer at first: the rate grows from a fifth to the whole.
   */
  private long intervalNs(long sinceStartNs) {
    return sinceStartNs >= rampNs
        ? intervalNs
        : (long) (intervalNs / Math.max(RAMP_FROM, (double) sinceStartNs / rampNs));
  }

  /** Asks for an order, and does not wait for the answer. */
  private void send(long order, long dueNs, Phase dueIn) {
    URI uri = URI.create("http://127.0.0.1:%d/orders/%d".formatted(port, order));
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER_LIMIT).build();
    CompletableFuture<?> unused =
        client
            .sendAsync(request, HttpResponse.BodyHandlers.discarding())
            .whenComplete(
                (answer, failure) -> {
                  noteFailure(answer, failure);
                  histograms.record(dueIn, System.nanoTime() - dueNs);
                  answered.incrementAndGet();
                });
  }

  private void noteFailure(@Nullable HttpResponse<Void> answer, @Nullable Throwable failure) {
    if (answer == null || answer.statusCode() != 200) {
      failed.incrementAndGet();
      lastFailure = answer == null ? String.valueOf(failure) : "status " + answer.statusCode();
    }
  }

  /** Requests that become due from now on belong to this phase. */
  void enter(Phase next) {
    histograms.enter(next);
  }

  /** Sends no more. */
  void stopSending() {
    isSending = false;
  }

  /** Requests due but not answered. */
  long pending() {
    return sent.get() - answered.get();
  }

  /** Requests that failed or were not answered with 200. */
  long failed() {
    return failed.get();
  }

  /** Why the last of them did, "" when none did. */
  String lastFailure() {
    return lastFailure;
  }

  /** From when a request was due to its complete answer or its failure. */
  Latency latency(Phase of) {
    return histograms.latency(of);
  }

  String name() {
    return name;
  }

  @Override
  public void close() {
    isSending = false;
  }
}
