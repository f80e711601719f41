package dev.forebay.kafka;

import dev.forebay.tiered.ship.Described;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one start.
 *
 * @param client of the producer, but for what a spool's transactions add
 * @param transactions whether events and the position become visible in one transaction
 * @param batchBytes of the first batches
 * @param blockMs how long a call of the client may wait for brokers
 * @param answerMs how long the client may take to send a record, in all
 * @param machine where the events are from: begins keys; null: this one
 */
record KafkaSettings(
    String topic,
    Map<String, String> client,
    boolean transactions,
    int batchBytes,
    int blockMs,
    long answerMs,
    @Nullable String machine) {

  static final String KIND = "kafka";

  /** Begins the keys of the client's settings in a description. */
  private static final String CLIENT = "client.";

  /** For another process. Some values are passwords. */
  Map<String, String> description() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("kind", KIND);
    all.put("topic", topic);
    all.put("transactions", String.valueOf(transactions));
    all.put("batchBytes", String.valueOf(batchBytes));
    all.put("blockMs", String.valueOf(blockMs));
    all.put("answerMs", String.valueOf(answerMs));
    all.put("machine", machine == null ? Machine.name() : machine);
    client.forEach((name, value) -> all.put(CLIENT + name, value));
    return all;
  }

  /** Of another process. */
  static KafkaSettings of(Described from) throws IOException {
    Map<String, String> client = new LinkedHashMap<>();
    from.values()
        .forEach(
            (key, value) -> {
              if (key.startsWith(CLIENT)) {
                client.put(key.substring(CLIENT.length()), value);
              }
            });
    return new KafkaSettings(
        from.text("topic"),
        client,
        from.flag("transactions"),
        from.index("batchBytes"),
        from.index("blockMs"),
        from.number("answerMs"),
        from.text("machine"));
  }

  /** What Kafka says against settings of its client, without their values. */
  static List<String> faults(Map<String, String> client) {
    List<String> faults = new ArrayList<>();
    for (ConfigValue value : ProducerConfig.configDef().validate(client)) {
      String text = client.getOrDefault(value.name(), "");
      for (String fault : value.errorMessages()) {
        faults.add(text.isEmpty() ? fault : fault.replace(text, "…"));
      }
    }
    return faults;
  }

  /** A message of the client about its settings, without anything that may be a password. */
  String hiding(String text) {
    Map<String, ConfigDef.ConfigKey> known = ProducerConfig.configDef().configKeys();
    return client.entrySet().stream()
        .filter(each -> isSecret(known.get(each.getKey())))
        .flatMap(each -> Stream.of(each.getValue().split("[\\s=\"';]+", -1)))
        .filter(part -> part.length() > 2)
        .reduce(text, (told, part) -> told.replace(part, "…"));
  }

  private static boolean isSecret(ConfigDef.@Nullable ConfigKey key) {
    return key == null || key.type == ConfigDef.Type.PASSWORD;
  }

  /** Without the client's settings: some are passwords. */
  @Override
  public String toString() {
    return "settings of topic " + topic;
  }
}
