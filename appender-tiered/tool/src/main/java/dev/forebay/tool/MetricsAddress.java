package dev.forebay.tool;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where metrics are served: a Unix socket, or a port that only this machine reaches. */
final class MetricsAddress {

  private static final String UNIX = "unix:";

  /** No names: what one resolves to is not for this verb to decide. */
  private static final Pattern LOOPBACK =
      Pattern.compile("(127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1]|localhost):(\\d{1,5})");

  private static final int PORTS = 1 << 16;

  private MetricsAddress() {}

  static SocketAddress parse(String text) {
    try {
      if (text.startsWith(UNIX) && text.length() > UNIX.length()) {
        return UnixDomainSocketAddress.of(Path.of(text.substring(UNIX.length())).toAbsolutePath());
      }
      Matcher port = LOOPBACK.matcher(text);
      if (port.matches() && Integer.parseInt(port.group(2)) < PORTS) {
        String host = port.group(1);
        InetAddress address =
            host.equals("localhost")
                ? InetAddress.getLoopbackAddress()
                : InetAddress.getByName(host); // a literal is not looked up
        return new InetSocketAddress(address, Integer.parseInt(port.group(2)));
      }
    } catch (InvalidPathException | UnknownHostException e) {
      // Refused below.
    }
    throw new ToolException(
        Main.USAGE,
        "--metrics is \""
            + text
            + "\": write unix:/run/forebay/metrics.sock or 127.0.0.1:9464; other machines are not answered");
  }
}
