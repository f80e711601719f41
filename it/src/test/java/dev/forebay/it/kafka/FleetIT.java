package dev.forebay.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.TransactionListing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many machines that log at a low rate into one topic of three brokers: all start at once, a broker
 * dies, and all are replaced at once. Each machine has a spool directory of its own, and its
 * program a directory of its own, which gives it a key as a host name does. What the page on fleets
 * says of sizes is measured on the way, and told.
 */
@Tag("nightly")
class FleetIT {

  private static final int SIZE = Integer.getInteger("forebay.kafka.fleet", 8);
  private static final String FSYNC = System.getProperty("forebay.kafka.fsync", "100 milliseconds");
  private static final int PAUSE_MS = Integer.getInteger("forebay.it.pause.ms", 100);

  private static final int PARTITIONS = 12;

  /** For positions and for transactions each: leaders on each broker. */
  private static final int INTERNAL = 6;

  /** Events of each between two things that happen. */
  private static final long SOME = 50;

  /** Of each process after the deployment. */
  private static final long REST = 200;

  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final List<String> SMALL = List.of("-Xmx64m", "-Dforebay.it.pause.ms=" + PAUSE_MS);

  private final Oracle oracle = new Oracle();
  private final List<Places> machines = new ArrayList<>();
  private final List<Child> fleet = new ArrayList<>();
  @AutoClose private final Places places = Places.create();

  @BeforeEach
  void buyMachines() {
    for (int i = 0; i < SIZE; i++) {
      machines.add(Places.create());
    }
  }

  @AfterEach
  void endAll() throws Exception {
    for (Child child : fleet) {
      child.kill();
    }
    for (Places machine : machines) {
      machine.close();
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void eachEventIsInTheTopicOnceThoughABrokerDiesAndAllAreReplacedAtOnce() throws Exception {
    try (Cluster cluster = Cluster.start(places, INTERNAL)) {
      Topic topic = new Topic(cluster.address(), "fleet").create(PARTITIONS, Map.of());
      startAll(topic, "old", Long.MAX_VALUE, "released");
      Load before = Load.of(cluster, topic);
      awaitMore(2 * SOME);
      Load.of(cluster, topic).tellSince(before, topic.name());

      Broker broker = cluster.brokers().get(1);
      broker.kill();
      tellTime("all go on without a broker", () -> awaitMore(SOME));
      broker.launch().awaitUp();
      tellTime("all go on with it", () -> awaitMore(SOME));

      tellTime("the old ones end", this::stopAll);
      startAll(topic, "new", REST, "wait");
      tellTime("all events are committed", () -> awaitCommitted(REST));
      endEach();
      Committed committed = Committed.of(topic);
      long events = committed.requireSound(oracle).lineCount();
      Figures.record(
          "fleet.txt",
          "%d events, %d bytes of each on all brokers",
          events,
          topic.bytes() / events);
      requireOneIdEachStart(topic, committed);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void tellTime(String what, Step step) throws Exception {
    long startNs = System.nanoTime();
    step.run();
    Figures.record("fleet.txt", "%s after %.1f s", what, secondsSince(startNs));
  }

  private static double secondsSince(long startNs) {
    return (System.nanoTime() - startNs) / 1e9;
  }

  private void startAll(Topic topic, String generation, long events, String atTheEnd)
      throws Exception {
    fleet.clear();
    tellTime(
        "%d %s ones have started, %s,".formatted(SIZE, generation, FSYNC),
        () -> {
          for (int i = 0; i < SIZE; i++) {
            Applications program =
                new Applications(machines.get(i), topic.servers(), topic.name(), "");
            Child.Task task =
                new Child.Task(generation + i, 1, events, Child.EACH_CALL, 1, atTheEnd);
            fleet.add(program.start(task, "<fsync>" + FSYNC + "</fsync>", SMALL));
          }
          awaitEach("has logged", child -> child.progress().offered(0) > 0);
        });
    tellTime("each has an event committed", () -> awaitCommitted(1));
  }

  /** Waits until of each process so many events are in the topic. */
  private void awaitCommitted(long events) throws Exception {
    awaitCommitted(new long[SIZE], events);
  }

  /** Waits until of each process so many more are. */
  private void awaitMore(long events) throws Exception {
    awaitCommitted(
        fleet.stream().mapToLong(child -> child.progress().durableUpTo()).toArray(), events);
  }

  private void awaitCommitted(long[] before, long more) throws Exception {
    for (int i = 0; i < SIZE; i++) {
      long end = before[i] + more;
      await(fleet.get(i), end + " are committed", child -> child.progress().durableUpTo() >= end);
    }
  }

  private void awaitEach(String what, Predicate<Child> state) {
    fleet.forEach(child -> await(child, what, state));
  }

  private static void await(Child child, String what, Predicate<Child> state) {
    boolean unused = Await.within(PATIENCE, () -> state.test(child) || !child.isAlive());
    assertThat(state.test(child) && child.isAlive())
        .as(
            "%s, %d: %s; %s",
            child.producer(0), child.progress().durableUpTo(), what, child.output())
        .isTrue();
  }

  /** Every third is killed: it had no time. */
  private void stopAll() throws Exception {
    for (int i = 0; i < SIZE; i++) {
      if (i % 3 == 0) {
        fleet.get(i).kill();
      } else {
        fleet.get(i).release();
      }
    }
    for (int i = 0; i < SIZE; i++) {
      int code = fleet.get(i).awaitEnd();
      assertThat(i % 3 == 0 || code == 0).as("%d: %s", code, fleet.get(i).output()).isTrue();
      fleet.get(i).tell(oracle);
    }
  }

  private void endEach() throws Exception {
    for (Child child : fleet) {
      child.release();
    }
    for (Child child : fleet) {
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.dropped()).as(child.account()).isZero();
      child.tell(oracle);
    }
  }

  private static void requireOneIdEachStart(Topic topic, Committed committed) throws Exception {
    Set<String> spools =
        committed.entries().stream()
            .map(entry -> "forebay-fleet-" + entry.instance())
            .collect(Collectors.toSet());
    Set<String> ids =
        topic.ask(admin -> admin.listTransactions().all().get()).stream()
            .map(TransactionListing::transactionalId)
            .collect(Collectors.toSet());
    Set<String> groups =
        topic.ask(admin -> admin.listGroups().all().get()).stream()
            .map(GroupListing::groupId)
            .collect(Collectors.toSet());
    Figures.record("fleet.txt", "%d transactional ids, %d groups", ids.size(), groups.size());
    assertThat(spools).hasSize(2 * SIZE);
    assertThat(ids).isEqualTo(spools);
    assertThat(groups).isEqualTo(spools);
  }

  /**
   * What the brokers have done since their start.
   *
   * @param written records and markers by topic
   * @param bytes on all brokers, by topic
   */
  private record Load(
      long atNs,
      Map<String, Long> written,
      Map<String, Long> bytes,
      Duration cpu,
      long connections) {

    private static final String STATES = "__transaction_state";
    private static final String POSITIONS = "__consumer_offsets";

    static Load of(Cluster cluster, Topic topic) throws Exception {
      Map<String, Long> written =
          topic.ask(admin -> Topic.written(admin, topic.name(), STATES, POSITIONS));
      long atNs = System.nanoTime();
      Duration cpu = Duration.ZERO;
      for (Broker broker : cluster.brokers()) {
        ProcessHandle process = ProcessHandle.of(broker.program().pid()).orElseThrow();
        cpu = cpu.plus(process.info().totalCpuDuration().orElse(Duration.ZERO));
      }
      Map<String, Long> bytes = new HashMap<>();
      for (String name : written.keySet()) {
        bytes.put(name, new Topic(topic.servers(), name).bytes());
      }
      long connections = 0;
      for (Broker broker : cluster.brokers()) {
        connections += connections(broker);
      }
      return new Load(atNs, written, bytes, cpu, connections);
    }

    /** Of clients and of other brokers. */
    private static long connections(Broker broker) throws Exception {
      try (JMXConnector connector = broker.program().connect()) {
        MBeanServerConnection beans = connector.getMBeanServerConnection();
        long count = 0;
        for (ObjectName each :
            beans.queryNames(
                new ObjectName(
                    "kafka.server:type=socket-server-metrics,listener=PLAINTEXT,networkProcessor=*"),
                null)) {
          count += ((Number) beans.getAttribute(each, "connection-count")).longValue();
        }
        return count;
      }
    }

    void tellSince(Load before, String topic) throws Exception {
      double seconds = (atNs - before.atNs) / 1e9;
      double transactions = since(before, POSITIONS, Load::written) / 2; // a record and a marker
      double events = since(before, topic, Load::written) - transactions;
      double cpuMs = cpu.minus(before.cpu).toMillis();
      Figures.record(
          "fleet.txt",
          "%.1f s: %.0f events/s, %.1f transactions/s; of a transaction %.2f records in %s;"
              + " %.0f bytes there and %.0f in %s on all brokers, %.2f ms of the brokers'"
              + " processors; %.2f processors; %d connections",
          seconds,
          events / seconds,
          transactions / seconds,
          since(before, STATES, Load::written) / transactions,
          STATES,
          since(before, STATES, Load::bytes) / transactions,
          since(before, POSITIONS, Load::bytes) / transactions,
          POSITIONS,
          cpuMs / transactions,
          cpuMs / seconds / 1e3,
          connections);
    }

    private double since(Load before, String topic, Function<Load, Map<String, Long>> what) {
      return what.apply(this).get(topic) - what.apply(before).get(topic);
    }
  }
}
