package dev.forebay.it.demo;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One kept-alive connection to an application on this machine, for one thread at a time. It knows
 * as much of HTTP/1.1 as the applications answer with, and costs little enough of the two
 * processors they share with the demo.
 */
final class HttpConnection implements Closeable {

  private static final int CONNECT_LIMIT_MS = 10_000;

  /** Longer than the stall and the time to catch up afterwards. */
  private static final int ANSWER_LIMIT_MS = 30_000;

  private static final String LENGTH = "content-length:";

  private final int port;
  private @Nullable Socket socket;
  private InputStream answers = InputStream.nullInputStream();

  HttpConnection(int port) {
    this.port = port;
  }

  /** Sends a GET request, reads the whole answer and returns its status. */
  int get(String path) throws IOException {
    try {
      Socket open = connected();
      String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
      open.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return readAnswer();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Socket connected() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = new Socket();
      socket = open;
      open.setTcpNoDelay(true);
      open.setSoTimeout(ANSWER_LIMIT_MS);
      open.connect(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
          CONNECT_LIMIT_MS);
      answers = new BufferedInputStream(open.getInputStream());
    }
    return open;
  }

  private int readAnswer() throws IOException {
    String[] status = readLine().split(" ", 3);
    if (status.length < 2 || !status[0].equals("HTTP/1.1")) {
      throw new IOException("The answer starts with " + String.join(" ", status));
    }
    int length = 0;
    for (String header = readLine(); !header.isEmpty(); header = readLine()) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    answers.skipNBytes(length);
    return Integer.parseInt(status[1]);
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = answers.read(); next != '\n'; next = answers.read()) {
      if (next < 0) {
        throw new EOFException("The application closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // Nothing more is expected from it.
      }
    }
  }
}
