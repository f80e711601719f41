package dev.forebay.it.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Servers;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker, its own controller, in a JVM of its own. It makes no topic by itself, and has one
 * partition for positions and one for transactions, so that it starts in a second and a half.
 */
public final class Broker implements AutoCloseable {

  public static final String MAIN = "dev.forebay.it.servers.kafka.FormattedBroker";

  /** What it says when clients can connect. */
  public static final String STARTED = "Kafka Server started";

  static {
    ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.ERROR); // our clients
  }

  private static final String LOOPBACK = "127.0.0.1";

  private static final List<String> OPTIONS =
      List.of(
          "-Xmx256m",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
          "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info");

  private final Path directory;
  private final int port;
  private final String host;
  private final List<String> around;
  private final Properties properties = new Properties();
  private final List<String> format = new ArrayList<>();
  private Path data;
  private Program program;

  private Broker(
      Path directory, int id, String voters, int controllerPort, String host, List<String> around)
      throws IOException {
    this.directory = directory;
    this.port = Servers.freePort();
    this.host = host;
    this.around = around;
    this.data = directory.resolve("data");
    with("process.roles", "broker,controller");
    with("node.id", id);
    with("controller.quorum.voters", voters);
    with(
        "listeners",
        address("PLAINTEXT://", port) + "," + address("CONTROLLER://", controllerPort));
    with("controller.listener.names", "CONTROLLER");
    with("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT");
    with("auto.create.topics.enable", false);
    with("offsets.topic.num.partitions", 1);
    with("offsets.topic.replication.factor", 1);
    with("transaction.state.log.num.partitions", 1);
    with("transaction.state.log.replication.factor", 1);
    with("transaction.state.log.min.isr", 1);
    with("broker.session.timeout.ms", 1_000); // one that was killed comes back after that
    with("broker.heartbeat.interval.ms", 200);
    with("group.initial.rebalance.delay.ms", 0);
    with("log.cleaner.dedupe.buffer.size", 2 << 20);
  }

  /** One alone, not started, with an existing directory of its own. */
  public static Broker in(Path directory) throws IOException {
    return in(directory, LOOPBACK, List.of());
  }

  /** As the other, at the other end of a cable. */
  static Broker in(Path directory, Network network) throws IOException {
    return in(directory, network.host(), network.around());
  }

  private static Broker in(Path directory, String host, List<String> around) throws IOException {
    int controllerPort = Servers.freePort();
    return new Broker(
        directory, 1, "1@" + host + ":" + controllerPort, controllerPort, host, around);
  }

  /** One of several. */
  static Broker oneOf(Path directory, int id, String voters, int controllerPort)
      throws IOException {
    return new Broker(directory, id, voters, controllerPort, LOOPBACK, List.of());
  }

  private String address(String before, int port) {
    return before + host + ":" + port;
  }

  /** Sets a property of the broker. */
  Broker with(String property, Object value) {
    properties.setProperty(property, String.valueOf(value));
    return this;
  }

  /**
   * Gives it a listener beside the one without a password; its address.
   *
   * @param protocol {@code SSL}, {@code SASL_PLAINTEXT} or {@code SASL_SSL}
   */
  String alsoListen(String protocol) throws IOException {
    int secured = Servers.freePort();
    with("listeners", properties.get("listeners") + "," + address("SECURED://", secured));
    with(
        "listener.security.protocol.map",
        properties.get("listener.security.protocol.map") + ",SECURED:" + protocol);
    return address("", secured);
  }

  /** Gives it a user. */
  Broker withUser(String name, String password) {
    with("sasl.enabled.mechanisms", "SCRAM-SHA-256");
    with(
        "listener.name.secured.scram-sha-256.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    format.addAll(
        List.of("--add-scram", "SCRAM-SHA-256=[name=%s,password=%s]".formatted(name, password)));
    return this;
  }

  /** Has its data elsewhere: on a disk that fills. */
  Broker dataIn(Path place) {
    data = place;
    return this;
  }

  /** Libraries and main class. */
  public static String classPath() throws IOException {
    return Servers.classes("kafka") + File.pathSeparator + Servers.libraries("kafka");
  }

  /** Writes its properties; the arguments of the main class. */
  public String[] arguments() throws IOException {
    with("log.dirs", data);
    Path file = directory.resolve("server.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    }
    List<String> arguments = new ArrayList<>(List.of(file.toString(), data.toString()));
    arguments.addAll(format);
    return arguments.toArray(new String[0]);
  }

  /** Starts it, for the first time or again, and does not wait. */
  Broker launch() throws IOException {
    List<String> command = new ArrayList<>(around);
    command.addAll(command());
    program = Program.start(directory, command);
    return this;
  }

  /** How to start it. */
  List<String> command() throws IOException {
    List<String> command = new ArrayList<>(List.of(Program.ofJdk("java")));
    command.addAll(Program.QUICK);
    command.addAll(OPTIONS);
    command.addAll(List.of("-cp", classPath(), MAIN));
    command.addAll(List.of(arguments()));
    return command;
  }

  /** Waits until clients can connect. */
  Broker awaitUp() {
    program.awaitSaid(STARTED);
    return this;
  }

  /** Starts it, for the first time or again, with what it had. */
  Broker start() throws IOException {
    return launch().awaitUp();
  }

  /** What clients take as {@code bootstrap.servers}. */
  String address() {
    return address("", port);
  }

  int port() {
    return port;
  }

  /** Its process since its last start. */
  Program program() {
    return program;
  }

  /** What it said since its last start. */
  String output() {
    return program.output();
  }

  boolean isAlive() {
    return program.isAlive();
  }

  /** Kills it like {@code kill -9}. */
  void kill() throws IOException, InterruptedException {
    program.kill();
  }

  /** Asks it to end, and waits. */
  void stop() throws IOException, InterruptedException {
    int unused = program.terminate();
  }

  /** Stands still from now on: connections stay, and nobody answers. */
  void pause() throws IOException, InterruptedException {
    program.signal("STOP");
  }

  void goOn() throws IOException, InterruptedException {
    program.signal("CONT");
  }

  @Override
  public void close() {
    if (program != null) {
      program.close();
    }
  }
}
