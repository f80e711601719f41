package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.apart.Ship;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.tool.Tool;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that only spool, and a process with Kafka's client that ships for them. */
@Tag("kafka")
class KafkaApartIT extends SharedBroker {

  static final String NEVER =
      "<shipping>apart</shipping><shippingFallback>never</shippingFallback>";
  private static final String SOON =
      "<shipping>apart</shipping><shippingFallback>1 second</shippingFallback>";

  /** So long that nobody can miss that a stop waits for a broker. */
  private static final String PATIENT = "<maxFlushTime>10 minutes</maxFlushTime>";

  /** A shipper that waits for a broker looks again after a second. */
  private static final String RETRYING = config("max.block.ms=1000");

  private static final String SECRET = "Pa55w0rd";

  private static int tests;
  private Topic topic;
  private Applications applications;

  @BeforeEach
  void name(TestInfo test) {
    String name = test.getTestMethod().orElseThrow().getName();
    topic = new Topic(broker.address(), name + "-" + ++tests);
    applications = applications("");
  }

  /** For the next test, if this one has failed. */
  @AfterEach
  void restartBroker() throws Exception {
    if (!broker.isAlive()) {
      broker.start();
    }
  }

  private Applications applications(String inner) {
    return new Applications(places, broker.address(), topic.name(), inner);
  }

  private Ship ship() throws Exception {
    return ship(applications.shipperJars());
  }

  private Ship ship(List<String> jars) throws Exception {
    return Ship.launchWith(jars, places.root().resolve("ship"), places.spool()).awaitUp();
  }

  private static Set<String> each(Committed read, Function<Committed.Entry, String> of) {
    return read.entries().stream().map(of).collect(Collectors.toSet());
  }

  @Test
  void recordsAreThoseOfAnAppenderThatShipsItself() throws Exception {
    topic.create(3, Map.of());
    applications =
        applications("<loggerHeader>true</loggerHeader>" + config("compression.type=zstd"));
    long before = System.currentTimeMillis();
    try (Tiered inside = applications.here()) {
      inside.log("inside", 0, 20).flush();
    }
    Committed ofInside = Committed.of(topic);
    try (Tiered app = applications.here(NEVER);
        Ship ship = ship()) {
      app.log("apart", 0, 2000).flush();
      assertThat(app.snapshot().durableUpTo()).hasValue(2000);
      assertThat(app.snapshot().delivered()).isEqualTo(2000);
      long now = System.currentTimeMillis();
      app.log("late", 0, 10);
      app.context().stop();
      ship.awaitDrained().end();
      assertThat(ship.shipped()).isEqualTo(2010);
      Committed read = Committed.of(topic);
      assertThat(read.entries())
          .filteredOn(entry -> entry.line().startsWith("apart"))
          .hasSize(2000)
          .allMatch(entry -> before <= entry.timestamp() && entry.timestamp() <= now);
    }
    Committed all = Committed.of(topic);
    assertThat(each(all, Committed.Entry::key)).isEqualTo(each(ofInside, Committed.Entry::key));
    assertThat(each(all, Committed.Entry::key)).hasSize(1);
    assertThat(each(all, entry -> "" + entry.headers().keySet())).hasSize(1);
    assertThat(all.entries())
        .allMatch(entry -> entry.headers().get("level").equals("INFO"))
        .allMatch(entry -> entry.headers().get("logger").equals("it"));
    all.requireSound(
        new Oracle()
            .producer("inside", 20, 20)
            .producer("apart", 2000, 2000)
            .producer("late", 10, 10)
            .complete(0));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @Test
  @Tag("nightly")
  void keysOfThreadsTravelWithTheEvents() throws Exception {
    topic.create(3, Map.of());
    applications = applications("<partitionBy>thread</partitionBy>");
    try (Tiered app = applications.here(NEVER);
        Load load = Load.on(app);
        Ship ship = ship()) {
      Oracle oracle = load.awaitMore(300).endWithoutLoss();
      Committed read = Committed.of(topic);
      read.requireSound(oracle);
      assertThat(read.entries())
          .filteredOn(entry -> !entry.line().startsWith("fresh"))
          .allMatch(entry -> entry.line().startsWith(entry.key()));
      app.context().stop();
      ship.awaitDrained().end();
    }
  }

  @Test
  void anApplicationHasNothingOfTheClientAndEndsWhileTheBrokerIsDown() throws Exception {
    topic.create();
    applications = applications(RETRYING);
    Child.Task task = new Child.Task("app", 1, 500, Child.EACH_CALL, 0, "wait");
    try (Ship ship = ship();
        Child app = applications.start(task, NEVER + PATIENT, List.of())) {
      Await.until("something is there", () -> app.progress().durableUpTo() > 0);
      broker.kill();
      app.awaitOffered(0, 500);
      assertThat(threads(app.pid())).noneMatch(name -> name.startsWith("kafka"));
      assertThat(sockets(app.pid())).isEmpty();
      try (Child next =
          applications.start(
              new Child.Task("next", 1, 500, Child.EACH_CALL, 0, "stop"),
              NEVER + PATIENT,
              List.of())) {
        assertThat(next.awaitEnd()).as(next.output()).isZero();
        assertThat(next.account()).contains("offered 500", "delivered 0", "dropped 0 ");
        assertThat(next.status()).isEmpty();
      }
      app.release();
      assertThat(app.awaitEnd()).as(app.output()).isZero();
      assertThat(app.dropped()).isZero();
      assertThat(app.status()).isEmpty();
      broker.start();
      ship.awaitDrained().terminate();
      assertThat(ship.shipped()).isEqualTo(1000);
      assertThat(ship.problems()).allMatch(text -> text.contains("cannot write topic "));
    }
    Oracle oracle = new Oracle().producer("app-0", 500, 500).producer("next-0", 500, 500);
    Committed.of(topic).requireSound(oracle.complete(0));
  }

  /** That it would be seen. */
  @Test
  @Tag("nightly")
  void anApplicationThatShipsItselfHasThreadsAndSocketsOfTheClient() throws Exception {
    topic.create();
    try (Child inside = applications.start("inside", List.of())) {
      Await.until("something is there", () -> inside.progress().durableUpTo() > 0);
      assertThat(threads(inside.pid())).anyMatch(name -> name.startsWith("kafka"));
      assertThat(sockets(inside.pid())).isNotEmpty();
    }
  }

  /** The kernel keeps 15 characters of each name. */
  private static List<String> threads(long pid) throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc", "" + pid, "task"))) {
      for (Path task : tasks.toList()) {
        names.add(Files.readString(task.resolve("comm")).strip());
      }
    }
    return names;
  }

  /** Of TCP; a JVM has some of its own that are never connected. */
  private static List<String> sockets(long pid) throws IOException {
    Path process = Path.of("/proc", "" + pid);
    Set<String> connected = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(process.resolve(table))) {
        connected.add("socket:[%s]".formatted(line.strip().split(" +", -1)[9]));
      }
    }
    List<String> sockets = new ArrayList<>();
    try (Stream<Path> open = Files.list(process.resolve("fd"))) {
      for (Path file : open.toList()) {
        try {
          sockets.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          // closed meanwhile
        }
      }
    }
    sockets.retainAll(connected);
    return sockets;
  }

  @Test
  void aRecordThatIsRefusedIsCountedInTheApplicationsAccount() throws Exception {
    topic.create(1, Map.of("max.message.bytes", "20000"));
    applications = applications(config("batch.size=16384"));
    try (Tiered app = applications.here(NEVER);
        Ship ship = ship()) {
      app.log("before", 0, 20);
      app.logger().info("x".repeat(50_000));
      app.log("after", 0, 20).flush();
      assertThat(app.snapshot().dropped(DropReason.valueOf("REFUSED"))).isEqualTo(1);
      TieredAppender appender = app.appender();
      assertThat(appender.snapshot().dropped()).isEqualTo(1);
      Path spools = SpoolPeek.spools(places.spool()).get(0).resolveSibling("");
      assertThat(Tool.run("cat", "--refused", spools).out()).hasSize(50_001);
      app.context().stop();
      ship.awaitDrained().terminate();
      assertThat(ship.problems())
          .filteredOn(text -> text.contains("refuses an event of 50001 bytes, number 20 "))
          .as(ship.output())
          .hasSize(1);
      LedgerSnapshot last = appender.snapshot(); // with the line that reports the drop
      assertThat(last.offered()).isEqualTo(last.delivered() + 1 + last.inFlight());
      assertThat(ship.shipped()).as(ship.output()).isEqualTo(last.offered() - 1);
      assertThat(ship.output()).contains("\"lost\":1");
    }

    Oracle oracle = new Oracle().producer("before", 20, 20).producer("after", 20, 20);
    Committed.of(topic).requireSound(oracle, 1);
  }

  @Test
  void theApplicationShipsIfNobodyDoesAndHandsBack() throws Exception {
    topic.create();
    try (Tiered app = applications.here(SOON);
        Load load = Load.on(app)) {
      load.requireGoingOn();
      app.flush();
      assertThat(app.warnings()).as("nobody ships").hasSize(1);
      assertThat(clientThreads()).isNotEmpty();
      try (Ship ship = ship()) {
        load.requireGoingOn();
        ship.awaitShipping();
        Await.until("the client has ended", () -> clientThreads().isEmpty());
        load.requireGoingOn().stop();
        app.log("fresh", 0, 10).flush();
        assertThat(app.problems()).hasSize(1);
        assertThat(app.snapshot().delivered()).isEqualTo(load.offered() + 10);
        app.context().stop();
        ship.awaitDrained().end();
        assertThat(ship.shipped()).isBetween(10L, load.offered() + 9);
      }
      Committed.of(topic).requireSound(load.oracle().producer("fresh", 10, 10).complete(0));
    }
  }

  /** Of this JVM, without those of the test. */
  private static List<String> clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("forebay-client-"))
        .toList();
  }

  @Test
  @Tag("nightly")
  void twoApplicationsOfOneProgramHaveKeysOfTheirOwn() throws Exception {
    topic.create(3, Map.of());
    Oracle oracle = new Oracle();
    Child.Task task = new Child.Task("one", 2, Long.MAX_VALUE, Child.EACH_CALL, 3, "released");
    Child.Task other = new Child.Task("two", 2, Long.MAX_VALUE, Child.EACH_CALL, 3, "released");
    try (Ship ship = ship();
        Child one = applications.start(task, NEVER, List.of());
        Child two = applications.start(other, NEVER, List.of())) {
      for (Child app : List.of(one, two)) {
        Await.until("some are there", () -> app.progress().durableUpTo() > 100);
      }
      for (Child app : List.of(one, two)) {
        app.release();
        assertThat(app.awaitEnd()).as(app.output()).isZero();
        assertThat(app.dropped()).isZero();
        app.tell(oracle);
      }
      ship.awaitDrained().end();
      assertThat(ship.shipped()).isEqualTo(one.offered() + two.offered());
    }
    Committed read = Committed.of(topic);
    read.requireSound(oracle.complete(0));
    assertThat(each(read, Committed.Entry::key)).hasSize(2);
    assertThat(each(read, entry -> entry.key() + entry.instance())).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no jar", "without client"})
  void aShipperWithoutKafkasJarsSaysSoAndTheApplicationShips(String jars) throws Exception {
    topic.create();
    boolean hasOurs = !jars.equals("no jar");
    List<String> all = new ArrayList<>(applications.shipperJars());
    all.removeIf(jar -> !hasOurs || !jar.contains("appender-tiered"));
    assertThat(all).hasSize(hasOurs ? 1 : 0);
    try (Ship ship = ship(all);
        Tiered app = applications.here(SOON)) {
      app.log("app", 0, 100).flush();
      assertThat(app.warnings()).hasSize(1);
      Await.until("told", () -> !ship.problems().isEmpty());
      assertThat(ship.problems())
          .singleElement()
          .asString()
          .contains("topic " + topic.name() + " is not shipped: this process cannot write")
          .contains(hasOurs ? "a class is missing" : "put the jar forebay-kafka on its class path");
      assertThat(app.snapshot().delivered()).isEqualTo(100);
    }
    Committed.of(topic).requireSound(new Oracle().producer("app", 100, 100).complete(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sasl.jaas.config=org.example.Missing required username=\"a\" password=\"Pa55w0rd\";",
        "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule Pa55w0rd;",
        "ssl.keystore.key=Pa55w0rd",
      })
  void passwordsAreInNoMessage(String setting) throws Exception {
    boolean isSsl = setting.startsWith("ssl");
    String protocol = "security.protocol=" + (isSsl ? "SSL" : "SASL_PLAINTEXT");
    topic.create();
    applications = applications(RETRYING + config(protocol, "ssl.keystore.type=PEM", setting));
    try (Ship ship = ship();
        Tiered app = applications.here(NEVER)) {
      app.log("app", 0, 10);
      Await.until("told: " + ship, () -> !ship.problems().isEmpty());
      assertThat(ship.problems().get(0)).contains("cannot write", "client does not start");
      Await.until(
          "the shipper's note tells it",
          () -> {
            for (Path note : Ship.notes(places.spool())) {
              if (Files.readString(note).contains("client does not start")) {
                return true;
              }
            }
            return false;
          });
      Tool.Run ls = Tool.run("ls", "--spool-directory", places.spool());
      Tool.Run account = Tool.run("account", ProcessHandle.current().pid());
      String told = ls.out() + ls.err() + account.out() + account.err() + app.statuses();
      for (Path note : Ship.notes(places.spool())) {
        told += Files.readString(note);
      }
      assertThat(told + ship.output()).doesNotContain(SECRET);
    }
  }
}
