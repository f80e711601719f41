package dev.forebay.it.container;

import dev.forebay.host.Await;
import dev.forebay.host.PipeReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes messages as a syslog server does; the first connections are not read at first. */
final class SyslogServer implements AutoCloseable {

  /** What Docker writes before a line of the container. */
  private static final String PREFIX = ".*? it\\[\\d+\\]: ";

  private final ServerSocketChannel listening;
  private final List<PipeReader> readers = new CopyOnWriteArrayList<>();
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  private volatile int rate = PipeReader.STALLED;

  private SyslogServer(ServerSocketChannel listening) {
    this.listening = listening;
  }

  static SyslogServer at(Path socket) throws IOException {
    ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listening.bind(UnixDomainSocketAddress.of(socket));
    SyslogServer server = new SyslogServer(listening);
    Thread thread = new Thread(server::accept, "syslog");
    thread.setDaemon(true);
    thread.start();
    return server;
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel connection = listening.accept();
        readers.add(PipeReader.of(Channels.newInputStream(connection), this::take, rate));
      }
    } catch (ClosedChannelException e) {
      // the end
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(String line) {
    lines.add(line.replaceFirst(PREFIX, ""));
  }

  /** Reads from now on what was sent and what will be. */
  void read() {
    rate = PipeReader.FAST;
    readers.forEach(reader -> reader.read(rate));
  }

  /** Waits until so many connections have been made and have ended; all lines of the containers. */
  List<String> awaitLines(int connections) throws InterruptedException {
    Await.until(connections + " connections", () -> readers.size() == connections);
    for (PipeReader reader : readers) {
      reader.awaitEnd();
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
