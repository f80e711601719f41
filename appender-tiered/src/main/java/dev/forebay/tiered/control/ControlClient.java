package dev.forebay.tiered.control;

import dev.forebay.tiered.spool.Spool;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

  private static final int PART_BYTES = 16 * 1024;

  private ControlClient() {}

  /** Whether there is a socket; a process that was killed leaves one too. */
  public static boolean isPresent(Path spool) {
    return Files.exists(spool.resolve(Spool.CONTROL_SOCKET));
  }

  /**
   * Sends a request and waits for the answer. The line begins with the spool's name, since the
   * socket is that of all appenders of the process.
   *
   * @param spool the spool's directory
   * @param request one line, without its end
   * @param timeoutNs longest wait in all; a stopped process lets nobody in, or gives no answer
   * @throws IOException also if the process has ended, or does not answer
   */
  public static Answer ask(Path spool, String request, long timeoutNs) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    CompletableFuture<Void> timeout =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, timeoutNs, TimeUnit.NANOSECONDS)
            .thenRun(() -> close(channel));
    try (channel) {
      SocketAddresses.with(spool, Spool.CONTROL_SOCKET, channel::connect);
      String name = String.valueOf(spool.toRealPath().getFileName());
      ByteBuffer line = StandardCharsets.UTF_8.encode(name + " " + request + "\n");
      while (line.hasRemaining()) {
        int unused = channel.write(line);
      }
      return parse(read(channel));
    } catch (ClosedChannelException e) {
      throw new SocketTimeoutException("the process does not answer; is it stopped?");
    } finally {
      timeout.cancel(false);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close(); // whoever waits in it learns by an exception
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(SocketChannel channel) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    ByteBuffer part = ByteBuffer.allocate(PART_BYTES);
    while (channel.read(part) >= 0) {
      answer.write(part.array(), 0, part.position());
      part.clear();
    }
    return answer.toString(StandardCharsets.UTF_8);
  }

  private static Answer parse(String answer) throws IOException {
    List<String> lines = answer.lines().toList();
    if (!answer.endsWith("\n" + Requests.END)) {
      throw new EOFException("the process has closed its socket before the end of the answer");
    }
    String first = lines.get(0);
    return first.equals(Requests.OK)
        ? new Answer(true, lines.subList(1, lines.size() - 1))
        : new Answer(
            false,
            List.of(
                first.startsWith(Requests.ERROR)
                    ? first.substring(Requests.ERROR.length())
                    : first));
  }
}
