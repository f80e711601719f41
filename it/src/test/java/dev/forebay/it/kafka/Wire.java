package dev.forebay.it.kafka;

import dev.forebay.host.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The way to a broker, which breaks where a test wants: at a request of some kind, before it has
 * passed or before its answer has. Then nobody gets through until it is mended.
 */
final class Wire implements AutoCloseable {

  /** Where to break. */
  record Break(short request, boolean afterIt) {}

  private interface Way {
    void go() throws IOException;
  }

  private final ServerSocket server;
  private final List<Socket> ends = new CopyOnWriteArrayList<>();
  private volatile int port;
  private volatile Break wanted;
  private volatile boolean isBroken;

  Wire() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** Host and port of the end that clients know. */
  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Connects it with the port of a broker. */
  Wire to(int brokerPort) {
    port = brokerPort;
    run(this::acceptAll);
    return this;
  }

  /** Breaks at the next request of this kind. */
  void breakAt(Break where) {
    wanted = where;
  }

  void awaitBroken() {
    Await.until("broken", () -> isBroken);
  }

  void mend() {
    isBroken = false;
  }

  private void acceptAll() throws IOException {
    while (true) {
      Socket client = server.accept();
      if (isBroken) {
        client.close();
      } else {
        Socket broker = new Socket(InetAddress.getLoopbackAddress(), port);
        ends.addAll(List.of(client, broker));
        run(() -> passRequests(client, broker));
        run(() -> broker.getInputStream().transferTo(client.getOutputStream()));
      }
    }
  }

  private void passRequests(Socket client, Socket broker) throws IOException {
    DataInputStream requests = new DataInputStream(client.getInputStream());
    while (true) {
      int length = requests.readInt();
      byte[] request = new byte[Integer.BYTES + length];
      ByteBuffer.wrap(request).putInt(length);
      requests.readFully(request, Integer.BYTES, length);
      Break where = wanted;
      boolean breaksHere =
          where != null && where.request == ByteBuffer.wrap(request).getShort(Integer.BYTES);
      if (breaksHere) {
        wanted = null;
        isBroken = true;
        client.close(); // before the broker can answer
      }
      if (!breaksHere || where.afterIt) {
        broker.getOutputStream().write(request);
      }
      if (breaksHere) {
        cut();
      }
    }
  }

  /** What was written before still arrives. */
  private void cut() throws IOException {
    for (Socket end : ends) {
      if (!end.isClosed()) {
        end.shutdownOutput();
        end.close();
      }
    }
    ends.clear();
  }

  private static void run(Way way) {
    Thread thread =
        new Thread(
            () -> {
              try {
                way.go();
              } catch (IOException e) {
                // an end has gone, or is closed
              }
            },
            "wire");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
