package dev.forebay.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** Programs of others in {@code it/servers}. */
public final class Servers {

  /** A byte for each port, locked by the JVM that has it until its end. */
  private static final FileChannel PORTS = ports();

  private Servers() {}

  private static FileChannel ports() {
    String name = "forebay-it-ports-" + System.getProperty("user.name");
    try {
      return FileChannel.open(
          Path.of(System.getProperty("java.io.tmpdir"), name),
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

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

  /**
   * None that another test takes, or that the kernel gives to the other end of a connection, before
   * the server has it.
   */
  public static int freePort() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
      if (take(port)) {
        return port;
      }
    }
  }

  private static boolean take(int port) throws IOException {
    try {
      if (PORTS.tryLock(port, 1, false) == null) {
        return false; // of another JVM
      }
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      return true;
    } catch (OverlappingFileLockException | BindException e) {
      return false; // of this JVM, or of another program
    }
  }
}
