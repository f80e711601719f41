package dev.forebay.it.control;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A process that asks for the account, and prints how far it got. */
final class Knocker {

  static final String CONNECTED = "connected";

  private static final int ENOUGH_BYTES = 4096;

  private Knocker() {}

  /**
   * Connects and asks.
   *
   * @param arguments the path of the socket, which must fit into an address, and the spool's name
   * @throws IOException if it may not even connect
   */
  public static void main(String[] arguments) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]))) {
      System.out.println(CONNECTED);
      System.out.print(answer(channel, arguments[1] + " account\n"));
    }
  }

  private static String answer(SocketChannel channel, String request) {
    ByteBuffer bytes = ByteBuffer.allocate(ENOUGH_BYTES);
    try {
      int unused = channel.write(StandardCharsets.UTF_8.encode(request));
      int read = 0;
      while (read >= 0) {
        read = channel.read(bytes);
      }
    } catch (IOException e) {
      // hung up before it read what we said
    }
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }
}
