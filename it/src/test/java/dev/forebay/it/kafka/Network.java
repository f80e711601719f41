package dev.forebay.it.kafka;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import dev.forebay.it.support.Needs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A network namespace with one cable to ours. Needs root. */
final class Network implements AutoCloseable {

  private final long pid = ProcessHandle.current().pid();
  private final String name = "fb" + pid;

  /** Of a subnet of four, beside those of other builds: 198.18.0.0/15 is there for tests. */
  private final long ours = (pid & 0x7fff) << 2 | 1;

  private Network() {}

  static Network create() throws IOException {
    Needs.root("making a network namespace");
    Network network = new Network();
    assumeTrue(
        Command.exitCode("ip", "netns", "add", network.name) == 0,
        "no network namespace: install iproute2, and allow them (CAP_SYS_ADMIN)");
    String[] cable = {"type", "veth", "peer", "name", "eth0", "netns", network.name};
    List<String> add = new ArrayList<>(List.of("ip", "link", "add", network.name));
    add.addAll(List.of(cable));
    Command.run(add.toArray(new String[0]));
    Command.run("ip", "addr", "add", address(network.ours) + "/30", "dev", network.name);
    Command.run("ip", "link", "set", network.name, "up");
    network.run("ip", "addr", "add", network.host() + "/30", "dev", "eth0");
    network.run("ip", "link", "set", "lo", "up");
    network.run("ip", "link", "set", "eth0", "up");
    return network;
  }

  /** The address of what runs within. */
  String host() {
    return address(ours + 1);
  }

  private static String address(long last17Bits) {
    return "198.%d.%d.%d"
        .formatted(18 + (last17Bits >> 16), last17Bits >> 8 & 0xff, last17Bits & 0xff);
  }

  /** A command with which another runs within. */
  List<String> around() {
    return List.of("ip", "netns", "exec", name);
  }

  private void run(String... command) throws IOException {
    List<String> all = new ArrayList<>(around());
    all.addAll(List.of(command));
    Command.run(all.toArray(new String[0]));
  }

  /** Pulls the cable: packets vanish, and connections do not know. */
  void cut() throws IOException {
    run("iptables", "-A", "INPUT", "-i", "eth0", "-j", "DROP");
    run("iptables", "-A", "OUTPUT", "-o", "eth0", "-j", "DROP");
  }

  /** What is said within is not heard outside, and the other way round it is. */
  void halfOpen() throws IOException {
    run("iptables", "-A", "OUTPUT", "-o", "eth0", "-j", "DROP");
  }

  /** Lets so much through, {@code 200kbit} for example. */
  void slow(String rate) throws IOException {
    String[] bucket = {"tbf", "rate", rate, "burst", "10kb", "latency", "400ms"};
    List<String> add = new ArrayList<>(List.of("tc", "qdisc", "add", "dev", name, "root"));
    add.addAll(List.of(bucket));
    Command.run(add.toArray(new String[0]));
  }

  /** As it was. */
  void heal() throws IOException {
    run("iptables", "-F");
    Command.exitCode("tc", "qdisc", "del", "dev", name, "root");
  }

  @Override
  public void close() throws IOException {
    Command.exitCode("ip", "link", "del", name);
    Command.run("ip", "netns", "del", name);
  }
}
