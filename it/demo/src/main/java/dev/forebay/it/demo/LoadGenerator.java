package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import dev.forebay.it.demo.app.PhaseHistograms;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests to one application at a fixed rate, whether or not it answers. A request that
 * finds no free connection waits for one, and its latency counts from the moment it was due: a slow
 * answer cannot hide the wait of those behind it.
 */
final class LoadGenerator implements AutoCloseable {

  private static final int CONNECTIONS = 48;
  private static final int CONNECT_LIMIT_MS = 10_000;

  /** Longer than the stall and the time to catch up afterwards. */
  private static final int ANSWER_LIMIT_MS = 30_000;

  private static final double RAMP_FROM = 0.2;

  private final String name;
  private final int port;
  private final long intervalNs;
  private final long rampNs;
  private final BlockingQueue<Due> due = new LinkedBlockingQueue<>();
  private final PhaseHistograms histograms = new PhaseHistograms();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  /** Written by the thread that runs the demo, read by the pacing one. */
  private volatile Phase phase = Phase.WARM_UP;

  private volatile boolean isSending = true;
  private volatile boolean isClosed;

  /** Written by the connections' threads, the last one wins. */
  private volatile String lastFailure = "";

  private record Due(long number, long atNs, Phase in) {}

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
    System.setProperty("http.maxConnections", String.valueOf(CONNECTIONS)); // that are kept alive
    LoadGenerator load = new LoadGenerator(name, port, requestsPerSecond, rampSeconds);
    daemon(load::sendAtFixedRate, "demo-pace-" + name);
    for (int connection = 0; connection < CONNECTIONS; connection++) {
      daemon(load::sendDue, "demo-http-" + name + "-" + connection);
    }
    return load;
  }

  private static void daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void sendAtFixedRate() {
    long startNs = System.nanoTime();
    long nextNs = startNs;
    while (isSending) {
      long waitNs = nextNs - System.nanoTime();
      if (waitNs > 0) {
        LockSupport.parkNanos(waitNs);
      } else {
        due.add(new Due(sent.incrementAndGet(), nextNs, phase));
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

  private void sendDue() {
    try {
      while (!isClosed) {
        Due request = due.poll(1, TimeUnit.SECONDS);
        if (request != null) {
          send(request);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(Due request) {
    try {
      int status = get(request.number());
      if (status != 200) {
        fail("status " + status);
      }
    } catch (IOException | RuntimeException e) {
      fail(e.toString());
    }
    histograms.record(request.in(), System.nanoTime() - request.atNs());
    answered.incrementAndGet();
  }

  /** Asks for an order on a connection that is kept alive, and returns the status of the answer. */
  private int get(long order) throws IOException {
    URI uri = URI.create("http://127.0.0.1:%d/orders/%d".formatted(port, order));
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setConnectTimeout(CONNECT_LIMIT_MS);
    connection.setReadTimeout(ANSWER_LIMIT_MS);
    int status = connection.getResponseCode();
    try (InputStream answer =
        status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
      if (answer != null) {
        answer.skipNBytes(connection.getContentLength());
      }
    }
    return status;
  }

  private void fail(String reason) {
    failed.incrementAndGet();
    lastFailure = reason;
  }

  /** Requests that become due from now on belong to this phase. */
  void enter(Phase next) {
    phase = next;
  }

  /** Sends no more; those already due are still sent. */
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
    isClosed = true;
  }
}
