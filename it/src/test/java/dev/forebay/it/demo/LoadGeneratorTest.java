package dev.forebay.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {

  private final CountDownLatch answering = new CountDownLatch(1);
  private final ExecutorService handlers = Executors.newCachedThreadPool();
  private HttpServer server;
  private volatile int status = 200;

  @BeforeEach
  void listen() throws IOException {
    server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), 0);
    server.setExecutor(handlers);
    server.createContext("/orders/", this::answer);
    server.start();
  }

  @AfterEach
  void close() {
    answering.countDown();
    server.stop(0);
    handlers.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try {
      answering.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    byte[] body = "an order\n".getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void await(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }

  @Test
  void keepsTheRateWhenNobodyAnswersAndCountsTheWaitForAConnection() {
    try (LoadGenerator load = LoadGenerator.start("test", server.getAddress().getPort(), 500, 0)) {
      await(() -> load.pending() >= 150);
      answering.countDown();
      load.stopSending();
      await(() -> load.pending() == 0);

      Latency latency = load.latency(Phase.WARM_UP);
      assertThat(load.failed()).as(load.lastFailure()).isZero();
      assertThat(latency.count()).isGreaterThanOrEqualTo(150);
      assertThat(latency.maxNs())
          .as("the first request was due 149 intervals before the answers began")
          .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2 * 140));
      assertThat(latency.p50Ns())
          .as("most requests waited for a connection before the answers began")
          .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  @Test
  void countsAnswersThatAreNotOk() {
    status = 503;
    answering.countDown();
    try (LoadGenerator load = LoadGenerator.start("test", server.getAddress().getPort(), 100, 0)) {
      await(() -> load.failed() >= 3);
      load.stopSending();
      await(() -> load.pending() == 0);

      assertThat(load.lastFailure()).isEqualTo("status 503");
    }
  }

  @Test
  void countsRequestsThatFindNobody() {
    server.stop(0);
    try (LoadGenerator load = LoadGenerator.start("test", server.getAddress().getPort(), 100, 0)) {
      await(() -> load.failed() >= 3);

      assertThat(load.lastFailure()).contains("Connection refused");
    }
  }
}
