package dev.forebay.it.support;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Programs of others in {@code it/servers}. */
public final class Servers {

  private Servers() {}

  /** The libraries of one. */
  public static String libraries(String module) throws IOException {
    return Files.readString(built(module, "class-path")).strip();
  }

  /** The classes that we have for one. */
  public static Path classes(String module) {
    return built(module, "classes");
  }

  private static Path built(String module, String name) {
    Path built = Path.of("servers", module, "target", name).toAbsolutePath();
    if (!Files.exists(built)) {
      throw new AssertionError(built + " is missing: mvn package -DskipTests -pl '!benchmarks'");
    }
    return built;
  }

  /** None that the kernel gives to the other end of a connection before the server has it. */
  public static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // of somebody else
      }
    }
  }
}
