package dev.forebay.it.kafka;

import dev.forebay.it.support.Places;
import dev.forebay.it.support.Servers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Three brokers, each with all that is written; two of them must have it. */
final class Cluster implements AutoCloseable {

  private static final int SIZE = 3;

  private final List<Broker> brokers = new ArrayList<>();

  private Cluster() {}

  /** Starts them. */
  static Cluster start(Places places) throws IOException {
    return start(places, 1);
  }

  /** As the other, with so many partitions for positions, and as many for transactions. */
  static Cluster start(Places places, int internal) throws IOException {
    List<Integer> ports = new ArrayList<>();
    List<String> voters = new ArrayList<>();
    for (int id = 1; id <= SIZE; id++) {
      ports.add(Servers.freePort());
      voters.add(id + "@127.0.0.1:" + ports.get(id - 1));
    }
    Cluster cluster = new Cluster();
    for (int id = 1; id <= SIZE; id++) {
      Broker broker =
          Broker.oneOf(
              places.directory("broker-" + id), id, String.join(",", voters), ports.get(id - 1));
      broker.with("offsets.topic.num.partitions", internal);
      broker.with("transaction.state.log.num.partitions", internal);
      broker.with("offsets.topic.replication.factor", SIZE);
      broker.with("transaction.state.log.replication.factor", SIZE);
      broker.with("transaction.state.log.min.isr", 2);
      broker.with("broker.session.timeout.ms", 3_000); // they share the processors
      broker.with("default.replication.factor", SIZE);
      broker.with("min.insync.replicas", 2);
      cluster.brokers.add(broker.launch());
    }
    cluster.brokers.forEach(Broker::awaitUp);
    return cluster;
  }

  List<Broker> brokers() {
    return brokers;
  }

  /** What clients take as {@code bootstrap.servers}. */
  String address() {
    return brokers.stream().map(Broker::address).collect(Collectors.joining(","));
  }

  @Override
  public void close() {
    brokers.forEach(Broker::close);
  }
}
