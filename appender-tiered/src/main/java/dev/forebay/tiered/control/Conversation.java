package dev.forebay.tiered.control;

import dev.forebay.agent.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One client: a line in, an answer out. A client that is slow, or sends too much, is left without
 * an answer, or with an error.
 */
final class Conversation {

  /** The longest line, with its end. */
  static final int MAX_REQUEST_BYTES = 1024;

  private final SocketChannel client;
  private final NanoClock clock;
  private final long patienceNs;

  /**
   * @param patienceNs how long the client may take to send its line, and to take the answer
   */
  Conversation(SocketChannel client, NanoClock clock, long patienceNs) {
    this.client = client;
    this.clock = clock;
    this.patienceNs = patienceNs;
  }

  /** Reads the line, and sends what {@code answers} makes of it. */
  void hold(UnaryOperator<String> answers) throws IOException {
    client.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      client.register(selector, SelectionKey.OP_READ);
      String line = readLine(selector);
      if (line != null) {
        send(selector, answers.apply(line));
      }
    }
  }

  /** Null if the client has gone or is too slow. */
  private @Nullable String readLine(Selector selector) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_REQUEST_BYTES);
    long deadlineNs = clock.nanoTime() + patienceNs;
    while (true) {
      int read = client.read(bytes);
      int end = lineEnd(bytes);
      if (end >= 0) {
        return StandardCharsets.UTF_8.decode(bytes.flip().limit(end)).toString();
      }
      if (!bytes.hasRemaining()) {
        return ""; // answered like any other line that says nothing
      }
      if (read < 0 || !await(selector, deadlineNs)) {
        return null;
      }
    }
  }

  /** Where the line ends; -1 if it is not complete. */
  private static int lineEnd(ByteBuffer bytes) {
    for (int i = 0; i < bytes.position(); i++) {
      if (bytes.get(i) == '\n') {
        return i;
      }
    }
    return -1;
  }

  private void send(Selector selector, String answer) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(answer);
    client.register(selector, SelectionKey.OP_WRITE);
    long deadlineNs = clock.nanoTime() + patienceNs;
    while (bytes.hasRemaining() && await(selector, deadlineNs)) {
      int unused = client.write(bytes);
    }
  }

  /** Whether the client was ready in time. */
  private boolean await(Selector selector, long deadlineNs) throws IOException {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - clock.nanoTime());
    selector.selectedKeys().clear();
    return leftMs > 0 && selector.select(leftMs) > 0;
  }
}
