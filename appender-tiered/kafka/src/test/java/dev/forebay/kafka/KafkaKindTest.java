package dev.forebay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.forebay.ConfigFindings;
import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.Description;
import dev.forebay.tiered.apart.LogDescriptions;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A topic that another process writes to; no broker is there. */
class KafkaKindTest {

  private static final String SECRET = "s3cret";
  private static final byte[] NOTHING = {};

  @TempDir Path spool;
  private final KafkaDestination configured = new KafkaDestination();
  private final List<String> faults = new ArrayList<>();

  private Map<String, String> described() {
    configured.setTopic("app-logs");
    configured.setBootstrapServers("127.0.0.1:1");
    configured.setTransactions(false);
    configured.addProducerConfig("security.protocol=SASL_PLAINTEXT");
    configured.addProducerConfig(
        "sasl.jaas.config=org.example.Login required password=\"" + SECRET + "\";");
    configured.addProducerConfig("batch.size=2000");
    configured.validate(1000, new ConfigFindings());
    return new HashMap<>(configured.description());
  }

  private static Destination destination(Map<String, String> from) throws IOException {
    return new KafkaKind().destination(new Described(from), new ShippingListener() {});
  }

  @Test
  void allThatAProducerNeedsIsDescribed() throws IOException {
    Map<String, String> all = described();
    assertThat(all)
        .containsEntry("kind", "kafka")
        .containsEntry("topic", "app-logs")
        .containsEntry("transactions", "false")
        .containsEntry("batchBytes", "2000")
        .containsEntry("blockMs", "10000")
        .containsEntry("answerMs", "20000")
        .containsEntry("machine", Machine.name())
        .containsEntry("client.bootstrap.servers", "127.0.0.1:1")
        .containsEntry("client.acks", "all")
        .containsEntry("client.batch.size", "2000");
    assertThat(all.get("client.sasl.jaas.config")).contains(SECRET);

    KafkaSettings there = KafkaSettings.of(new Described(all));
    assertThat(there.description()).isEqualTo(all);
    assertThat(there.toString()).doesNotContain(SECRET);
  }

  /** Keys, and so the order of events, are the same whoever ships. */
  @Test
  void theMachineIsThatOfTheEvents() throws IOException {
    Map<String, String> all = described();
    all.put("machine", "elsewhere");
    assertThat(KafkaSettings.of(new Described(all)).machine()).isEqualTo("elsewhere");
  }

  @Test
  void itGoesThroughASpoolAndIsFoundThere() throws IOException {
    Map<String, String> unused = described();
    Description written =
        Objects.requireNonNull(
            LogDescriptions.of(
                Path.of(configured.name()),
                configured,
                NOTHING,
                NOTHING,
                "\n".getBytes(UTF_8),
                FsyncPolicy.every(1_000_000_000),
                faults::add));
    NioDisk disk = new NioDisk();
    Files.write(spool.resolve("description"), written.encode());
    Description read = Objects.requireNonNull(Description.read(disk, spool));
    assertThat(read.toString()).doesNotContain(SECRET);
    Destination made =
        LogDescriptions.destination(
            read, disk, faults::add, new ShippingListener() {}, NanoClock.SYSTEM);

    assertThat(made).isInstanceOf(TopicDestination.class);
    assertThat(made.name()).isEqualTo("topic app-logs");
    assertThat(faults).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "client.request.timeout.ms | s3cret | topic app-logs: Kafka's client says: Invalid value … for configuration request.timeout.ms",
        "client.key.serializer | s3cret.Serializer | for configuration key.serializer",
        "batchBytes | s3cret | has a batchBytes that this process does not know",
        "transactions | s3cret | has a transactions that this process does not know",
        "topic | - | the description of the log has no topic",
      })
  void whatCannotBeWrittenHereIsRefusedWithoutValues(String key, String value, String fault) {
    Map<String, String> all = described();
    if (value.equals("-")) {
      all.remove(key);
    } else {
      all.put(key, value);
    }
    assertThatThrownBy(() -> destination(all))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(fault)
        .message()
        .doesNotContain(SECRET);
  }
}
