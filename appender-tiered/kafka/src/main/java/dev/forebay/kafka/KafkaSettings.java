package dev.forebay.kafka;

import java.util.Map;

/**
 * The checked settings of one start.
 *
 * @param client of the producer, but for what a spool's transactions add
 * @param transactions whether events and the position become visible in one transaction
 */
record KafkaSettings(String topic, Map<String, String> client, boolean transactions) {}
