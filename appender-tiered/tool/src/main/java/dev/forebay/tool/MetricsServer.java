package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code GET /metrics}, one request a connection. One thread; clients are few and have a
 * limited time, so that neither a slow nor a silent one holds up another.
 */
final class MetricsServer implements Closeable {

  private static final int CLIENTS = 16;
  private static final int MAX_REQUEST_BYTES = 8 * 1024;

  /** From the connection to the last byte of the answer. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

  private static final long TICK_MS = 500;

  private static final String HEAD =
      "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n%s\r\n";

  /** After a failure, such as too many open files. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int SOCKET = 0140000;
  private static final int KIND = 0170000;

  private final Supplier<String> metrics;
  private final NanoClock clock;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final @Nullable Path socket;

  /** A request being read, then an answer being written. Used by the thread. */
  private static final class Client {
    final long sinceNs;
    final ByteBuffer request = ByteBuffer.allocate(MAX_REQUEST_BYTES);
    @Nullable ByteBuffer answer;

    Client(long sinceNs) {
      this.sinceNs = sinceNs;
    }
  }

  /**
   * Binds the address; {@link #start} answers.
   *
   * @param metrics the text; called by the server's thread
   */
  MetricsServer(SocketAddress address, Supplier<String> metrics, NanoClock clock)
      throws IOException {
    this.metrics = metrics;
    this.clock = clock;
    this.socket = address instanceof UnixDomainSocketAddress unix ? unix.getPath() : null;
    if (socket != null) {
      removeLeft(socket);
    }
    this.server =
        socket == null
            ? ServerSocketChannel.open()
            : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean isBound = false;
    try {
      if (socket == null) {
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      }
      server.bind(address, CLIENTS);
      server.configureBlocking(false);
      this.selector = Selector.open();
      SelectionKey unused = server.register(selector, SelectionKey.OP_ACCEPT);
      isBound = true;
    } catch (IOException e) {
      throw new ToolException(
          Main.FAILED, "--metrics: cannot listen at %s: %s".formatted(address, e.getMessage()));
    } finally {
      if (!isBound) {
        server.close();
      }
    }
  }

  /** Removes the socket of a process that was killed, and nothing else. */
  private static void removeLeft(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if ((mode & KIND) != SOCKET) {
      throw ToolException.refused("--metrics: " + path + " exists and is no socket");
    }
    boolean isInUse;
    try (SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      isInUse = other.isConnected();
    } catch (IOException e) {
      isInUse = false;
    }
    if (isInUse) {
      throw ToolException.refused("--metrics: another process listens at " + path);
    }
    Files.delete(path);
  }

  void start() {
    Thread thread = new Thread(this::serve, "forebay-metrics");
    thread.setDaemon(true);
    thread.start();
  }

  /** What to scrape, for a message. */
  String where() throws IOException {
    if (server.getLocalAddress() instanceof InetSocketAddress at) {
      String host = at.getAddress().getHostAddress();
      return "http://%s:%d/metrics".formatted(host.contains(":") ? "[::1]" : host, at.getPort());
    }
    return "unix:" + socket;
  }

  private void serve() {
    while (selector.isOpen()) {
      try {
        int unused = selector.select(selector.keys().size() > 1 ? TICK_MS : 0);
        serveReady();
      } catch (IOException | RuntimeException | Error e) {
        if (selector.isOpen()) {
          LockSupport.parkNanos(this, PAUSE_NS);
        }
      }
    }
  }

  private void serveReady() throws IOException {
    if (!selector.isOpen()) {
      return;
    }
    for (Iterator<SelectionKey> ready = selector.selectedKeys().iterator(); ready.hasNext(); ) {
      SelectionKey key = ready.next();
      ready.remove();
      if (key.channel() == server) {
        letIn();
      } else {
        converse(key);
      }
    }
    long nowNs = clock.nanoTime();
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof Client client && nowNs - client.sinceNs > PATIENCE_NS) {
        key.channel().close();
      }
    }
  }

  private void letIn() throws IOException {
    SocketChannel channel = server.accept();
    if (channel == null) {
      return;
    }
    if (selector.keys().size() > CLIENTS) {
      channel.close();
      return;
    }
    channel.configureBlocking(false);
    SelectionKey unused =
        channel.register(selector, SelectionKey.OP_READ, new Client(clock.nanoTime()));
  }

  private void converse(SelectionKey key) {
    if (!(key.attachment() instanceof Client client)
        || !(key.channel() instanceof SocketChannel channel)) {
      return;
    }
    boolean isOver = true;
    try {
      ByteBuffer answer = client.answer;
      if (answer == null) {
        boolean isGone = channel.read(client.request) < 0;
        answer = isGone ? null : answer(client.request);
        client.answer = answer;
        isOver = isGone;
        if (answer != null) {
          key.interestOps(SelectionKey.OP_WRITE);
        }
      }
      if (answer != null) {
        isOver = write(channel, answer);
      }
    } catch (IOException | RuntimeException | Error e) {
      // The client has gone, or there is no memory for it now: it asks again.
    }
    if (isOver) {
      try {
        channel.close();
      } catch (IOException e) {
        // It has.
      }
    }
  }

  /** Whether all is written. In pieces, for each of which the system's channels take memory. */
  private static boolean write(SocketChannel channel, ByteBuffer answer) throws IOException {
    int end = answer.limit();
    int written;
    do {
      ByteBuffer piece = answer.limit(Math.min(end, answer.position() + MAX_REQUEST_BYTES));
      written = channel.write(piece);
      answer.limit(end);
    } while (written > 0 && answer.hasRemaining());
    return !answer.hasRemaining();
  }

  /** Null until the head of the request is complete. */
  private @Nullable ByteBuffer answer(ByteBuffer request) {
    String head = StandardCharsets.ISO_8859_1.decode(request.duplicate().flip()).toString();
    if (!head.contains("\r\n\r\n") && !head.contains("\n\n")) {
      return request.hasRemaining() ? null : answer("431 Request Header Fields Too Large", "", "");
    }
    String[] words = head.substring(0, head.indexOf('\n')).trim().split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
      return answer("400 Bad Request", "", "");
    }
    if (!words[1].replaceFirst("\\?.*", "").equals("/metrics")) {
      return answer("404 Not Found", "", "/metrics is the only page\n");
    }
    boolean isHead = words[0].equals("HEAD");
    if (!isHead && !words[0].equals("GET")) {
      return answer("405 Method Not Allowed", "Allow: GET, HEAD\r\n", "");
    }
    String text = metrics.get();
    ByteBuffer all = answer("200 OK", "", text);
    return isHead ? all.limit(all.limit() - text.getBytes(StandardCharsets.UTF_8).length) : all;
  }

  private static ByteBuffer answer(String status, String more, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    String head = HEAD.formatted(status, body.length, more);
    byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(start.length + body.length).put(start).put(body).flip();
  }

  /** Leaves clients without an answer. */
  @Override
  public void close() throws IOException {
    server.close();
    if (socket != null) {
      Files.deleteIfExists(socket);
    }
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
