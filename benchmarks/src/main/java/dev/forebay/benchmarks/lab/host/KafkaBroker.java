package dev.forebay.benchmarks.lab.host;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Kafka broker that is its own controller, in a JVM of its own on this machine. */
final class KafkaBroker implements AutoCloseable {

  private static final String SETTINGS =
      """
      process.roles=broker,controller
      node.id=1
      controller.quorum.voters=1@127.0.0.1:%2$d
      listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
      controller.listener.names=CONTROLLER
      listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
      log.dirs=%3$s
      offsets.topic.replication.factor=1
      transaction.state.log.replication.factor=1
      transaction.state.log.min.isr=1
      """;

  private final Process process;
  private final String address;

  private KafkaBroker(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts one and waits until it is up.
   *
   * @param directory for its data, settings and log
   * @param java the command of a JVM with its libraries, up to the main class
   */
  static KafkaBroker start(Path directory, List<String> java) throws IOException {
    int port = freePort();
    Path settings =
        Files.writeString(
            directory.resolve("server.properties"),
            SETTINGS.formatted(port, freePort(), directory.resolve("data").toAbsolutePath()));
    List<String> format = new ArrayList<>(java);
    format.addAll(List.of("kafka.tools.StorageTool", "format", "-c", settings.toString()));
    format.addAll(List.of("-t", "Zm9yZWJheS1pdC0tLS0tLQ")); // any 16 bytes
    Command.run(format.toArray(String[]::new));
    List<String> command = new ArrayList<>(java);
    command.addAll(List.of("kafka.Kafka", settings.toString()));
    Path log = directory.resolve("broker.log");
    KafkaBroker broker =
        new KafkaBroker(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start(),
            "127.0.0.1:" + port);
    try {
      Await.until("the broker is up", () -> Files.readString(log).contains("Server started"));
    } catch (AssertionError e) {
      broker.close();
      throw new IOException(Files.readString(log), e);
    }
    return broker;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Host and port. */
  String address() {
    return address;
  }

  /** Sends it a signal: {@code STOP}, {@code CONT}. */
  void signal(String name) throws IOException {
    Command.run("kill", "-" + name, String.valueOf(process.pid()));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
