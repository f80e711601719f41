package dev.forebay.tiered.control;

import dev.forebay.tiered.spool.Spool;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channels;
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

  private ControlClient() {}

  /** Whether there is a socket, and not one that a killed process has left. */
  public static boolean isPresent(Path spool) {
    if (!Files.exists(spool.resolve(Spool.CONTROL_SOCKET))) {
      return false;
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return SocketAddresses.with(spool, Spool.CONTROL_SOCKET, channel::connect);
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      return true; // the request will fail and say why
    }
  }

  /**
   * Sends a request and waits for the answer. The line begins with the spool's name, since the
   * socket is that of all appenders of the process.
   *
   * @param request one line, without its end
   * @param timeoutNs longest wait in all; a stopped process may not connect or answer
   * @throws IllegalStateException if it refused; the message says why
   * @throws IOException also if the process has ended, or does not answer
   */
  public static List<String> ask(Path spool, String request, long timeoutNs) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    CompletableFuture<Void> timeout =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, timeoutNs, TimeUnit.NANOSECONDS)
            .thenRun(() -> close(channel));
    try (channel) {
      SocketAddresses.with(spool, Spool.CONTROL_SOCKET, channel::connect);
      String line = spool.toRealPath().getFileName() + " " + request + "\n";
      Channels.newOutputStream(channel).write(line.getBytes(StandardCharsets.UTF_8));
      byte[] answer = Channels.newInputStream(channel).readAllBytes();
      return parse(new String(answer, StandardCharsets.UTF_8));
    } catch (ClosedChannelException e) {
      throw new SocketTimeoutException("the process does not answer; is it stopped?");
    } finally {
      timeout.cancel(false);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close(); // a thread that waits in it gets an exception
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> parse(String answer) throws IOException {
    List<String> lines = answer.lines().toList();
    if (!answer.endsWith("\n" + Requests.END)) {
      throw new EOFException("the process has closed its socket before the end of the answer");
    }
    String first = lines.get(0);
    if (!first.equals(Requests.OK)) {
      boolean says = first.startsWith(Requests.ERROR);
      throw new IllegalStateException(says ? first.substring(Requests.ERROR.length()) : first);
    }
    return lines.subList(1, lines.size() - 1);
  }
}
