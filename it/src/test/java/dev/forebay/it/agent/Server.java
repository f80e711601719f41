package dev.forebay.it.agent;

import dev.forebay.it.support.Places;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** A server of others in {@code it/servers}, and our client for it. */
enum Server {
  ZOOKEEPER("dev.forebay.it.zookeeper.ZooKeeperClient") {
    @Override
    Program launch(Places places, int port, String classPath, List<String> options)
        throws Exception {
      Path home = places.directory("zookeeper");
      List<String> all = new ArrayList<>(options);
      all.add("-Dzookeeper.admin.enableServer=false"); // a web server, in another artifact
      return Program.start(
          home,
          all,
          classPath,
          "org.apache.zookeeper.server.ZooKeeperServerMain",
          String.valueOf(port),
          home.resolve("data").toString());
    }
  };

  private static final List<String> QUIET =
      List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

  private final String client;

  Server(String client) {
    this.client = client;
  }

  /** Starts it and does not wait for it. */
  abstract Program launch(Places places, int port, String classPath, List<String> options)
      throws Exception;

  /** The same with its own libraries. */
  Program launch(Places places, int port, List<String> options) throws Exception {
    return launch(places, port, classPath(), options);
  }

  /** Starts a client, which waits for the server. */
  Program client(Places places, int port) throws IOException {
    Path home = places.directory("client");
    Path logback =
        Files.writeString(
            home.resolve("logback.xml"), "<configuration><root level=\"OFF\"/></configuration>");
    List<String> options = new ArrayList<>(QUIET);
    options.addAll(List.of("-Xmx64m", "-Dlogback.configurationFile=" + logback));
    return Program.start(home, options, classPath(module()), client, "127.0.0.1:" + port);
  }

  /** Its libraries. */
  String classPath() throws IOException {
    return libraries(module());
  }

  private String module() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static Path target(String module) {
    return Path.of("servers", module, "target").toAbsolutePath();
  }

  private static String libraries(String module) throws IOException {
    Path list = target(module).resolve("class-path");
    if (!Files.exists(list)) {
      throw new AssertionError(list + " is missing: mvn package -DskipTests -pl it -am");
    }
    return Files.readString(list).strip();
  }

  /** A module of {@code it/servers} with its libraries. */
  static String classPath(String module) throws IOException {
    return target(module).resolve("classes") + File.pathSeparator + libraries(module);
  }

  /** None that the kernel gives to the other end of a connection before the server has it. */
  static int freePort() throws IOException {
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
