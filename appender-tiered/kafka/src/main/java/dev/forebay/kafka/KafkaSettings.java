package dev.forebay.kafka;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

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

  /** What the client says of its settings, without what may be a password, or a part of one. */
  String hiding(String text) {
    Map<String, ConfigDef.ConfigKey> known = ProducerConfig.configDef().configKeys();
    String hidden = text;
    for (Map.Entry<String, String> each : client.entrySet()) {
      ConfigDef.ConfigKey key = known.get(each.getKey());
      if (key == null || key.type == ConfigDef.Type.PASSWORD) {
        for (String part : each.getValue().split("[\\s=\"';]+", -1)) {
          hidden = part.length() < 3 ? hidden : hidden.replace(part, "…");
        }
      }
    }
    return hidden;
  }

  /** Without the client's settings: some are passwords. */
  @Override
  public String toString() {
    return "settings of topic " + topic;
  }
}
