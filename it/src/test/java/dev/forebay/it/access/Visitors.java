package dev.forebay.it.access;

import dev.forebay.host.Await;
import dev.forebay.it.support.CallTimes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Who visits a server: some threads with one connection each, which ask for numbered paths. Each
 * request is due at its time, whether or not the one before it has been answered by then, and takes
 * from that time on until its answer is complete.
 */
final class Visitors implements AutoCloseable {

  private static final long LONGEST_MS = TimeUnit.MINUTES.toMillis(5);

  private final List<Thread> threads = new ArrayList<>();
  private final List<AtomicInteger> answered = new ArrayList<>();
  private final Histogram timesUs =
      new ConcurrentHistogram(TimeUnit.MILLISECONDS.toMicros(LONGEST_MS), 3);

  /** From when each was sent. */
  private final CallTimes requests = new CallTimes();

  private volatile boolean stopping;

  /** Why a visitor has left. */
  private volatile @Nullable IOException failure;

  /**
   * Sends them.
   *
   * @param perSecond requests of each visitor
   */
  Visitors(int port, int count, int perSecond) {
    for (int visitor = 0; visitor < count; visitor++) {
      String name = "v" + visitor;
      AtomicInteger done = new AtomicInteger();
      answered.add(done);
      Thread thread = new Thread(() -> visit(port, name, perSecond, done), name);
      threads.add(thread);
      thread.start();
    }
  }

  static String path(String visitor, int number) {
    return "/" + visitor + "/" + number;
  }

  private void visit(int port, String name, int perSecond, AtomicInteger done) {
    long periodNs = TimeUnit.SECONDS.toNanos(1) / perSecond;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      long beginNs = System.nanoTime();
      for (int number = 0; !stopping; number++) {
        long dueNs = beginNs + number * periodNs;
        for (long leftNs = periodNs; leftNs > 0; leftNs = dueNs - System.nanoTime()) {
          LockSupport.parkNanos(dueNs - System.nanoTime());
        }
        String path = path(name, number);
        requests.measure(() -> ask(socket.getOutputStream(), in, path));
        timesUs.recordValue((System.nanoTime() - dueNs) / 1000);
        done.incrementAndGet();
      }
    } catch (IOException e) {
      failure = e; // the server was killed; what was answered is counted
    }
  }

  /** One request, whose header and user are its path too. */
  private static void ask(OutputStream out, InputStream in, String path) throws IOException {
    String request = "GET %s HTTP/1.1\r\nHost: here\r\nX-Path: %1$s\r\n\r\n".formatted(path);
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    int length = -1;
    String status = line(in);
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        length = Integer.parseInt(line.substring("content-length: ".length()));
      }
    }
    byte[] body = in.readNBytes(Math.max(0, length));
    String text = new String(body, StandardCharsets.US_ASCII);
    if (!status.contains(" 200") || !text.equals(path)) {
      throw new IOException(path + " was answered " + status + " " + text);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the connection ended");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  /** How many requests of a visitor are answered. */
  int answered(int visitor) {
    return answered.get(visitor).get();
  }

  int answered() {
    return answered.stream().mapToInt(AtomicInteger::get).sum();
  }

  /** Waits until each visitor has got that many more answers. */
  void awaitMore(int requests) {
    List<Integer> before = answered.stream().map(AtomicInteger::get).toList();
    for (int visitor = 0; visitor < before.size(); visitor++) {
      int wanted = before.get(visitor) + requests;
      AtomicInteger done = answered.get(visitor);
      Thread thread = threads.get(visitor);
      Await.until("more answers", () -> done.get() >= wanted || !thread.isAlive());
      if (done.get() < wanted) {
        throw new AssertionError(thread.getName() + " has left: " + failure);
      }
    }
  }

  /** Forgets the times so far. */
  void forgetTimes() {
    timesUs.reset();
    requests.reset();
  }

  /** How long requests took: median, 99.9th percentile and longest. */
  String times() {
    return "p50 %.2f ms, p99.9 %.1f ms, longest %.1f ms, %d requests"
        .formatted(
            timesUs.getValueAtPercentile(50) / 1e3,
            timesUs.getValueAtPercentile(99.9) / 1e3,
            timesUs.getMaxValue() / 1e3,
            timesUs.getTotalCount());
  }

  /** Fails if a request took too long for one that contains a log call. */
  void requireCeiling() {
    requests.requireCeiling("");
  }

  /** Ends all visits after the request in hand. */
  void stop() {
    stopping = true;
    threads.forEach(Await::end);
  }

  @Override
  public void close() {
    stopping = true;
  }
}
