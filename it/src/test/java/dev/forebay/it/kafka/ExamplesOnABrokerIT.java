package dev.forebay.it.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.forebay.host.Await;
import dev.forebay.it.support.Documents;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.Servers;
import dev.forebay.it.support.Tiered;
import dev.forebay.tiered.TieredAppender;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The examples with a topic work as they stand: two services log into it with the configuration,
 * beside records that no reader must take for theirs, and the programs read it.
 */
@Tag("nightly")
class ExamplesOnABrokerIT {

  private static final String CONFIGURATION = "src/examples/tiered-kafka.xml";

  private static final String APPLICATION = "errors-by-service"; // group, and prefix of its topics
  private static final int PARTITIONS = 3;
  private static final int EVENTS = 300;

  private static final Pattern MESSAGE = Pattern.compile("\"message\":\"([^\"]*)\"");
  private static final Pattern COUNT = Pattern.compile("(?m)^(\\S+) (\\d+)$");

  @AutoClose private final Places places = Places.create();
  private Broker broker;
  private Topic topic;

  @BeforeEach
  void makeTopic() throws Exception {
    broker = Broker.in(places.directory("broker")).start();
    topic = new Topic(broker.address(), "app-logs").create(PARTITIONS, Map.of());
    addRecordsOfOthers();
  }

  @AfterEach
  void stopBroker() {
    broker.close();
  }

  @Test
  void theServiceLogPrintsEachLineOfOneServiceOnceAndInOrder() throws Exception {
    try (Program log = example(places.directory("reader"), "ServiceLog", "shop")) {
      for (long life = 0; life < 3; life++) {
        try (Tiered shop = service("shop");
            Tiered stock = service("stock")) {
          for (long i = life * EVENTS; i < (life + 1) * EVENTS; i++) {
            shop.log("shop", i, 1);
            stock.log("stock", i, 1);
            stock.logger().info("no \"service\":\"shop\"");
          }
          requireAllSent(shop, stock);
        }
      }
      long last = 3 * EVENTS - 1;
      Await.until("the last is printed", () -> isPrinted(log, last));
      requireEachOnce(log);
      log.kill();
      try (Program again = example(places.directory("again"), "ServiceLog", "shop")) {
        Await.until("the last is printed again", () -> isPrinted(again, last));
        requireEachOnce(again);
      }
    }
  }

  @Test
  void errorsByServiceAreCountedOnceAlsoWhenTheCounterIsKilled() throws Exception {
    Path directory = places.directory("counter"); // has its state, too
    try (Tiered shop = service("shop");
        Tiered stock = service("stock")) {
      for (int life = 0; life < 3; life++) {
        try (Program counter = example(directory, "ErrorsByService")) {
          logErrors(shop, EVENTS);
          logErrors(stock, 2 * EVENTS);
          requireCounting(counter);
          logErrors(shop, EVENTS);
          counter.kill();
        }
      }
      try (Program counter = example(directory, "ErrorsByService")) {
        logErrors(shop, EVENTS);
        logErrors(stock, EVENTS);
        requireAllSent(shop, stock);
        requireCounting(counter);
        awaitRead(topic);
        awaitRead(new Topic(topic.servers(), APPLICATION + "-errors-repartition"));
        assertThat(counts(counter))
            .as(counter.output())
            .containsOnly(Map.entry("shop", 7L * EVENTS), Map.entry("stock", 7L * EVENTS));
        assertThat(counter.terminate()).isEqualTo(Program.TERMINATED);
      }
    }
  }

  /** Errors, each between events that are none. */
  private static void logErrors(Tiered service, int errors) {
    for (int i = 0; i < errors; i++) {
      service.logger().warn("before {}", i);
      service.logger().error("{} of no \"service\":\"other\"", i);
    }
  }

  private Tiered service(String name) throws Exception {
    Path spool = Files.createDirectories(places.spool().resolve(name));
    String xml = Files.readString(Documents.root().resolve(CONFIGURATION));
    Map<String, String> variables =
        Map.of("KAFKA", topic.servers(), "SERVICE", name, "SPOOL_DIR", spool.toString());
    return Tiered.configured(xml, variables);
  }

  /** Waits until all is committed. */
  private static void requireAllSent(Tiered... services) {
    for (Tiered service : services) {
      var root = service.context().getLogger(Logger.ROOT_LOGGER_NAME);
      TieredAppender appender =
          (TieredAppender) Objects.requireNonNull(root.getAppender("KAFKA"), "no appender KAFKA");
      assertThat(appender.flush(Duration.ofSeconds(30))).as("%s", service.statuses()).isTrue();
      assertThat(appender.snapshot().dropped()).isZero();
      assertThat(service.problems()).isEmpty();
    }
  }

  private Program example(Path directory, String main, String... more) throws IOException {
    String classPath =
        Servers.classes("kafka-examples")
            + File.pathSeparator
            + Servers.libraries("kafka-examples");
    List<String> options = List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Xmx256m");
    List<String> arguments = new ArrayList<>(List.of(topic.servers(), topic.name()));
    arguments.addAll(List.of(more));
    return Program.start(directory, options, classPath, main, arguments.toArray(String[]::new));
  }

  private static List<String> printed(Program log) {
    return log.output().lines().filter(line -> line.startsWith("{")).toList();
  }

  private static boolean isPrinted(Program log, long number) {
    String output = log.output();
    return output.endsWith("}\n") && output.contains(new Numbered("shop", number).text());
  }

  /** Every line that shop has logged, and no other. */
  private static void requireEachOnce(Program log) {
    List<String> lines = printed(log);
    assertThat(lines).allMatch(line -> line.endsWith("\"service\":\"shop\"}"));
    Oracle.Verdict unused =
        new Oracle(ExamplesOnABrokerIT::parse)
            .producer("shop", 3 * EVENTS, 3 * EVENTS)
            .complete(0)
            .requireSound(lines);
  }

  private static @Nullable Numbered parse(String line) {
    Matcher message = MESSAGE.matcher(line);
    return message.find() ? Numbered.parse(message.group(1)) : null;
  }

  /** The last count of each service that it has printed. */
  private static Map<String, Long> counts(Program counter) {
    Map<String, Long> last = new TreeMap<>();
    for (MatchResult count : COUNT.matcher(counter.output()).results().toList()) {
      last.put(count.group(1), Long.parseLong(count.group(2)));
    }
    return last;
  }

  /** Waits until it has counted for both services; it waits itself after a kill. */
  private static void requireCounting(Program counter) {
    boolean unused =
        Await.within(
            Duration.ofMinutes(2), () -> counts(counter).size() >= 2 || !counter.isAlive());
    assertThat(counts(counter)).as(counter.output()).containsOnlyKeys("shop", "stock");
  }

  /** Waits until the counter has committed that it has read all of a topic. */
  private static void awaitRead(Topic read) throws Exception {
    Map<TopicPartition, Long> ends = read.settledEnd();
    boolean unused =
        read.ask(
            admin -> {
              Await.until(
                  read.name() + " is read up to " + ends,
                  () -> {
                    Map<TopicPartition, OffsetAndMetadata> positions =
                        admin
                            .listConsumerGroupOffsets(APPLICATION)
                            .partitionsToOffsetAndMetadata()
                            .get();
                    return ends.entrySet().stream()
                        .filter(end -> end.getValue() > 0)
                        .allMatch(end -> isAt(end.getValue(), positions.get(end.getKey())));
                  });
              return true;
            });
  }

  private static boolean isAt(long end, @Nullable OffsetAndMetadata position) {
    return position != null && position.offset() == end;
  }

  /** What was never committed, and what no appender wrote: nothing of it is a line of a service. */
  private void addRecordsOfOthers() {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", topic.servers(), "transactional.id", "others");
    try (KafkaProducer<String, @Nullable String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        producer.beginTransaction();
        send(producer, partition, "ERROR", "{\"message\":\"aborted\",\"service\":\"shop\"}");
        producer.flush();
        producer.abortTransaction();
        producer.beginTransaction();
        send(producer, partition, "ERROR", null);
        send(producer, partition, "ERROR", "plain text");
        send(producer, partition, null, "{\"service\":\"nobody\"}");
        producer.commitTransaction();
      }
    }
  }

  private void send(
      KafkaProducer<String, @Nullable String> producer,
      int partition,
      @Nullable String level,
      @Nullable String value) {
    ProducerRecord<String, @Nullable String> sent =
        new ProducerRecord<>(topic.name(), partition, null, value);
    if (level != null) {
      sent.headers().add("level", level.getBytes(UTF_8));
    }
    var unused = producer.send(sent); // a commit would throw
  }
}
