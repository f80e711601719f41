package dev.forebay.it.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes records to a broker one by one and reads each of them back, until its standard input ends.
 * Prints {@code up} after the first; at its end how many it wrote and read, and the longest time
 * for one in ms.
 */
public final class KafkaClient {

  private static final String TOPIC = "forebay";
  private static final int RECORD_BYTES = 1000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private KafkaClient() {}

  /**
   * Runs the client.
   *
   * @param arguments host and port of the broker
   */
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    CompletableFuture<Void> end = CompletableFuture.runAsync(KafkaClient::awaitEnd);
    TopicPartition partition = new TopicPartition(TOPIC, 0);
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            arguments[0],
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest");
    try (KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        KafkaConsumer<byte[], byte[]> consumer =
            new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      producer.send(new ProducerRecord<>(TOPIC, new byte[RECORD_BYTES])).get(); // makes the topic
      consumer.assign(List.of(partition));
      long written = 1;
      long read = readUpTo(consumer, 1);
      System.out.println("up");
      long longestNs = 0;
      while (!end.isDone()) {
        long startNs = System.nanoTime();
        producer.send(new ProducerRecord<>(TOPIC, new byte[RECORD_BYTES])).get();
        written++;
        read += readUpTo(consumer, written - read);
        longestNs = Math.max(longestNs, System.nanoTime() - startNs);
      }
      System.out.println("written " + written + " read " + read + " ms " + longestNs / 1_000_000);
    }
  }

  private static void awaitEnd() {
    try {
      int unused = System.in.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads at least so many; how many. */
  private static long readUpTo(KafkaConsumer<byte[], byte[]> consumer, long count) {
    long read = 0;
    long startNs = System.nanoTime();
    while (read < count && System.nanoTime() - startNs < PATIENCE.toNanos()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
        read += record.value().length == RECORD_BYTES ? 1 : 0;
      }
    }
    return read;
  }
}
