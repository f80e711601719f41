package dev.forebay.tiered.control;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks the owner of a spool through its socket. One request, one answer. */
public final class ControlClient {

  /**
   * What the appender answered.
   *
   * @param isDone whether it did what was asked
   * @param lines what it said; why it refused, if it did
   */
  public record Answer(boolean isDone, List<String> lines) {}

  private ControlClient() {}

  /** Whether there is a socket; a process that was killed leaves one too. */
  public static boolean isPresent(Path spool) {
    return Files.exists(spool.resolve(Spool.CONTROL_SOCKET));
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @param spool the spool's directory
   * @param request one line, without its end
   * @param timeoutNs longest wait for the answer; a stopped process gives none
   * @throws IOException also if the process has ended, or does not answer
   */
  public static Answer ask(Path spool, String request, long timeoutNs) throws IOException {
    try (SocketChannel channel =
            SocketAddresses.with(spool, Spool.CONTROL_SOCKET, SocketChannel::open);
        Selector selector = Selector.open()) {
      ByteBuffer line = StandardCharsets.UTF_8.encode(request + "\n");
      while (line.hasRemaining()) {
        int unused = channel.write(line);
      }
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      return parse(read(channel, selector, NanoClock.SYSTEM.nanoTime() + timeoutNs));
    }
  }

  private static String read(SocketChannel channel, Selector selector, long deadlineNs)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Conversation.MAX_ANSWER_BYTES);
    while (channel.read(bytes) >= 0 && bytes.hasRemaining()) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - NanoClock.SYSTEM.nanoTime());
      selector.selectedKeys().clear();
      if (leftMs <= 0 || selector.select(leftMs) == 0) {
        throw new SocketTimeoutException("the process does not answer; is it stopped?");
      }
    }
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  private static Answer parse(String answer) throws IOException {
    List<String> lines = answer.lines().toList();
    if (lines.isEmpty()) {
      throw new IOException("the process has closed its socket without an answer");
    }
    String first = lines.get(0);
    return first.equals(Requests.OK)
        ? new Answer(true, lines.subList(1, lines.size()))
        : new Answer(false, List.of(first.substring(Math.min(first.length(), prefix(first)))));
  }

  private static int prefix(String first) {
    return first.startsWith(Requests.ERROR) ? Requests.ERROR.length() : 0;
  }
}
