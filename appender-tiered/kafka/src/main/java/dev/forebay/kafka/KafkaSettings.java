package dev.forebay.kafka;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of one start.
 *
 * @param client of the producer, but for what a spool's transactions add
 * @param transactions whether events and the position become visible in one transaction
 * @param batchBytes of the first batches
 * @param blockMs how long a call of the client may wait for brokers
 * @param answerMs how long the client may take to send a record, in all
 */
record KafkaSettings(
    String topic,
    Map<String, String> client,
    boolean transactions,
    int batchBytes,
    int blockMs,
    long answerMs) {

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
