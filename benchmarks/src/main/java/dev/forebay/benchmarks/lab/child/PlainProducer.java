package dev.forebay.benchmarks.lab.child;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.MDC;

/** What an application does that has no appender: a line, and {@code KafkaProducer.send}. */
final class PlainProducer implements Backend {

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;

  PlainProducer(String broker, String topic) {
    this.topic = topic;
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  KafkaLog log(int number) {
    return new KafkaLog(number, this::send);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what failed is missing in the end
  private void send(long order, long nowNs) {
    String line =
        Instant.now()
            + " ["
            + Thread.currentThread().getName()
            + "] INFO com.example.shop.Orders "
            + MDC.get("requestId")
            + " - "
            + KafkaLog.ORDER
            + order
            + KafkaLog.AT
            + nowNs;
    producer.send(new ProducerRecord<>(topic, line.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void stop() {
    producer.close();
  }
}
