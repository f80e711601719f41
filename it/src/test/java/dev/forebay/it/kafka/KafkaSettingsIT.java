package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.spool.SpoolNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users may set of the client: it ships, or an ERROR says what is wrong. */
@Tag("kafka")
@Tag("nightly")
class KafkaSettingsIT extends SharedBroker {

  /** Ends the client's thread at the first answer. */
  public static final class Deadly implements ProducerInterceptor<byte[], byte[]> {

    static final AtomicBoolean ARMED = new AtomicBoolean();

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> sent) {
      return sent;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception failure) {
      if (ARMED.getAndSet(false)) {
        throw new OutOfMemoryError("of the test");
      }
    }

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
  }

  private static Topic topic(String name) throws Exception {
    return new Topic(broker.address(), name.replaceAll("[^a-z.0-9]", "-")).create();
  }

  private Tiered start(Topic topic, String servers, String inner, String... more) throws Exception {
    return new Applications(places, servers, topic.name(), inner).here(more);
  }

  /** With so much time between two commits. */
  private Tiered startSlow(Topic topic, String inner, String time) throws Exception {
    String elements = new Applications(places, broker.address(), topic.name(), inner).elements();
    return Tiered.with(elements.replace("50 milliseconds", time));
  }

  private void requireShipped(Topic topic, String inner, String... more) throws Exception {
    try (Tiered tiered = start(topic, broker.address(), inner, more)) {
      tiered.log("p", 0, 40).flush();
      assertThat(tiered.errors()).isEmpty();
    }
    Committed.of(topic).requireSound(new Oracle().producer("p", 40, 40).complete(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "request.timeout.ms=30000",
        "linger.ms=15000",
        "delivery.timeout.ms=5000",
        "max.block.ms=9223372036854775807",
        "buffer.memory=1000",
        "batch.size=0",
        "partitioner.ignore.keys=true",
      })
  void whatIsLegalShips(String setting) throws Exception {
    requireShipped(topic(setting), config(setting));
  }

  @Test
  void aTransactionMayTakeAsLongAsACommitIsAway() throws Exception {
    Topic topic = topic("slow");
    try (Tiered tiered = startSlow(topic, "", "40 seconds")) {
      tiered.log("p", 0, 1);
      Await.until(
          "a transaction is open",
          () -> !topic.ask(admin -> admin.listTransactions().all().get()).isEmpty());
      Collection<TransactionDescription> open =
          topic.ask(
              admin ->
                  admin
                      .describeTransactions(
                          admin.listTransactions().all().get().stream()
                              .map(TransactionListing::transactionalId)
                              .toList())
                      .all()
                      .get()
                      .values());
      assertThat(open).allMatch(each -> each.transactionTimeoutMs() == 80_000);
      tiered.flush();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "retries=0 | retries",
        "max.in.flight.requests.per.connection=6 | max.in.flight.requests.per.connection",
        "delivery.timeout.ms=3 | delivery.timeout.ms should be equal to or larger than",
        "ssl.truststore.location=/nowhere/at/all,security.protocol=SSL | /nowhere/at/all",
      })
  void whatTheClientRefusesIsAnErrorThatSaysWhat(String settings, String expected)
      throws Exception {
    try (Tiered tiered =
        start(topic(settings), broker.address(), config(settings.trim().split(",")))) {
      tiered.log("p", 0, 1);
      Await.until("told", () -> !tiered.errors().isEmpty());
      assertThat(tiered.errors()).singleElement().asString().contains(expected.trim());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule Pa55w0rd username=\"a\" password=\"Pa55w0rd\";",
        "ssl.keystore.pasword=Pa55w0rd",
        "ssl.keystore.password:Pa55w0rd",
        "transactional.id=Pa55w0rd",
        "linger.ms=Pa55w0rd",
        "ssl.keystore.key=Pa55w0rd",
        "security.protocol=Pa55w0rd",
      })
  void noPasswordIsToldOfWhateverIsWrong(String setting) throws Exception {
    String secured =
        setting.startsWith("sa") ? config("security.protocol=SASL_PLAINTEXT") : config();
    secured += setting.contains("keystore.key") ? config("security.protocol=SSL") : "";
    try (Tiered tiered = start(topic("secret"), broker.address(), secured + config(setting))) {
      tiered.log("p", 0, 1);
      Await.until("told", () -> !tiered.problems().isEmpty());
      assertThat(tiered.statuses())
          .allSatisfy(
              status -> {
                assertThat(status.getMessage()).doesNotContain("Pa55w0rd");
                Throwable cause = status.getThrowable();
                for (; cause != null; cause = cause.getCause()) {
                  assertThat(cause.toString()).doesNotContain("Pa55w0rd");
                }
              });
    } finally {
      new Topic(broker.address(), "secret").delete();
    }
  }

  @Test
  void anErrorThatEndsTheClientsThreadDelaysAndCostsNothing() throws Exception {
    Topic topic = topic("deadly");
    Deadly.ARMED.set(true);
    try (Tiered tiered =
        start(
            topic,
            broker.address(),
            config(
                "interceptor.classes=" + Deadly.class.getName(),
                "request.timeout.ms=1000",
                "delivery.timeout.ms=2000"))) {
      tiered.log("p", 0, 40).flush();
      assertThat(tiered.warnings()).singleElement().asString().contains("has not answered");
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    Committed.of(topic).requireSound(new Oracle().producer("p", 40, 40).complete(0));
  }

  /** How often something was committed. */
  private static long transactions(Topic topic) throws Exception {
    return topic.ask(admin -> Topic.written(admin, "__transaction_state")).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** All lines that were. */
  static List<String> setAside(Places places) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Path file : FileTree.files(places.spool())) {
      if (SpoolNames.isRefused(file)) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @ParameterizedTest
  @ValueSource(strings = {"max.request.size=20000", "max.message.bytes"})
  void oneThatIsTooLargeDoesNotMakeThoseBeforeItGoOneByOne(String limit) throws Exception {
    boolean byClient = limit.contains("=");
    Topic topic = new Topic(broker.address(), "too-large-" + byClient);
    topic.create(1, byClient ? Map.of() : Map.of(limit, "40000"));
    String inner = byClient ? config(limit) : config("batch.size=16384");
    try (Tiered warm = startSlow(topic, inner, "5 seconds")) { // commits not by time
      warm.log("warm", 0, 1).flush();
      long before = transactions(topic);
      broker.pause();
      warm.log("p", 0, 5_000);
      warm.logger().info("x".repeat(50_000));
      warm.logger().info("y".repeat(60_000));
      warm.log("p", 5_000, 5_000);
      broker.goOn();
      warm.flush();
      assertThat(warm.snapshot().dropped(DropReason.valueOf("REFUSED"))).isEqualTo(2);
      assertThat(transactions(topic) - before).isLessThan(400);
    }
    Oracle oracle = new Oracle().producer("warm", 1, 1).producer("p", 10_000, 10_000);
    Committed.of(topic).requireSound(oracle, 2);
    assertThat(setAside(places)).hasSize(2);
  }
}
