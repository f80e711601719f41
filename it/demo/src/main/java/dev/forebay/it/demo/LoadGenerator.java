package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Longest;
import dev.forebay.it.demo.app.Phase;
import dev.forebay.it.demo.app.PhaseHistograms;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one application at a given rate, whether or not it answers. A latency counts
 * from the moment at which a request was due: a slow answer cannot hide the wait of those behind.
 */
final class LoadGenerator implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** Longer than the stall and the time to catch up afterwards. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_LIMIT)
          .build();
  private final int port;
  private final IntSupplier requestsPerSecond;
  private final PhaseHistograms histograms = new PhaseHistograms();

  /** The latencies since the last look, for the calibration. */
  private final Recorder recent = new Recorder(3);

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean isSending = true;

  /** Written by the client's threads, the last one wins. */
  private volatile String lastFailure = "";

  private LoadGenerator(int port, IntSupplier requestsPerSecond) {
    this.port = port;
    this.requestsPerSecond = requestsPerSecond;
  }

  /**
   * Starts sending to 127.0.0.1.
   *
   * @param port where it listens
   * @param requestsPerSecond the rate, asked for with each request
   */
  static LoadGenerator start(int port, IntSupplier requestsPerSecond) {
    LoadGenerator load = new LoadGenerator(port, requestsPerSecond);
    Thread thread = new Thread(load::sendAtRate, "demo-pace-" + port);
    thread.setDaemon(true);
    thread.start();
    return load;
  }

  private void sendAtRate() {
    long nextNs = System.nanoTime();
    while (isSending) {
      long waitNs = nextNs - System.nanoTime();
      if (waitNs > 0) {
        LockSupport.parkNanos(waitNs);
      } else {
        send(sent.incrementAndGet(), nextNs, histograms.phase());
        nextNs += TimeUnit.SECONDS.toNanos(1) / requestsPerSecond.getAsInt();
      }
    }
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
                  long latencyNs = Math.max(0, System.nanoTime() - dueNs);
                  histograms.record(dueIn, dueNs, latencyNs);
                  recent.recordValue(latencyNs);
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
  Map<Phase, Latency> latencies() {
    return histograms.latencies();
  }

  /** The longest of these of each moment. */
  Longest.Slots longest() {
    return histograms.longest();
  }

  /** The median of these since the last look, 0 when there was none; for one thread. */
  long recentMedianNs() {
    return recent.getIntervalHistogram().getValueAtPercentile(50);
  }

  @Override
  public void close() {
    isSending = false;
  }
}
