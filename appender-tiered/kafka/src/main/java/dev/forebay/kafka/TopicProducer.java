package dev.forebay.kafka;

import dev.forebay.tiered.spool.InstanceId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the records of one spool into the topic. Its transactional id is the spool's: whoever takes
 * the spool over fences who had it before. The position, which is the sequence of the first record
 * that is not in the topic, is the offset of a group of the same name for partition 0, committed in
 * the same transactions: the brokers keep it in memory, so that it is read with one request.
 *
 * <p>For the shipper's thread, which waits at most {@code max.block.ms} in each method, or {@code
 * delivery.timeout.ms} in {@link #commit}. After a failure it can only be closed: what was not
 * committed, or perhaps was, the next one finds out.
 */
final class TopicProducer {

  /** Begins the names of our clients, and so of their threads. */
  static final String CLIENT = "forebay-client-";

  private final KafkaSettings settings;
  private final String id;
  private final byte[] instance;
  private final TopicPartition place;
  private final KafkaProducer<byte[], byte[]> producer;
  private final SendFailures failures = new SendFailures();
  private boolean isBegun;

  TopicProducer(KafkaSettings settings, InstanceId spool) {
    this.settings = settings;
    this.id = "forebay-" + settings.topic() + "-" + spool;
    this.instance = spool.toString().getBytes(StandardCharsets.UTF_8);
    this.place = new TopicPartition(settings.topic(), 0);
    Map<String, Object> client = new HashMap<>(settings.client());
    client.put(ProducerConfig.CLIENT_ID_CONFIG, CLIENT + spool);
    if (settings.transactions()) {
      client.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    }
    this.producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Fences who had the spool before; returns the position, 0 if the brokers know none. */
  long begin() throws IOException {
    if (!settings.transactions()) {
      return 0;
    }
    producer.initTransactions();
    Properties client = new Properties();
    for (Map.Entry<String, String> each : settings.client().entrySet()) {
      if (AdminClientConfig.configNames().contains(each.getKey())) {
        client.put(each.getKey(), each.getValue());
      }
    }
    client.put(AdminClientConfig.CLIENT_ID_CONFIG, CLIENT + "position");
    int patienceMs =
        Integer.parseInt(
            settings.client().getOrDefault(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000"));
    Admin admin = Admin.create(client);
    try {
      Map<TopicPartition, OffsetAndMetadata> found =
          admin
              .listConsumerGroupOffsets(
                  Map.of(id, new ListConsumerGroupOffsetsSpec()),
                  new ListConsumerGroupOffsetsOptions().requireStable(true).timeoutMs(patienceMs))
              .partitionsToOffsetAndMetadata(id)
              .get();
      OffsetAndMetadata position = found.get(place);
      return position == null ? 0 : position.offset();
    } catch (ExecutionException e) {
      throw new IOException("cannot read the position in group " + id + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  void send(long sequence, byte[] key, byte[] value, EventAttributes attributes)
      throws IOException {
    requireSent(); // each further one might wait as long
    begun();
    Long timeMs = attributes.timeMs < 0 ? null : attributes.timeMs;
    ProducerRecord<byte[], byte[]> sent =
        new ProducerRecord<>(settings.topic(), null, timeMs, key, value);
    Headers headers =
        sent.headers()
            .add("forebay-instance", instance)
            .add("forebay-sequence", utf8(Long.toString(sequence)))
            .add("level", utf8(attributes.level));
    if (attributes.logger != null) {
      headers.add("logger", attributes.logger);
    }
    Future<RecordMetadata> unused =
        producer.send(
            sent,
            (metadata, failure) -> {
              if (failure != null) {
                failures.add(sequence, failure);
              }
            });
  }

  private void begun() {
    if (settings.transactions() && !isBegun) {
      producer.beginTransaction();
      isBegun = true;
    }
  }

  /** All that was sent is in the topic, and the position says so. */
  void commit(long next) throws IOException {
    if (!settings.transactions()) {
      producer.flush();
      requireSent();
      return;
    }
    begun();
    producer.flush(); // a commit does not end if a record is refused meanwhile
    requireSent();
    producer.sendOffsetsToTransaction(
        Map.of(place, new OffsetAndMetadata(next)), new ConsumerGroupMetadata(id));
    producer.commitTransaction();
    isBegun = false;
  }

  /** Throws what a broker, or the client, said of a record that was sent. */
  void requireSent() throws IOException {
    Exception failure = failures.first();
    if (failure != null) {
      throw new IOException(failure.toString(), failure);
    }
  }

  /** The sequence after the last record that was refused for itself; 0 if none was. */
  long refusedUpTo() {
    return failures.refusedUpTo();
  }

  private static boolean isOfRecord(@Nullable Exception failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException
        || failure instanceof InvalidRecordException
        || failure instanceof InvalidTimestampException;
  }

  /** Waits for nothing: what is not committed is aborted by the next one, or after its timeout. */
  void close() {
    producer.close(Duration.ZERO);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Written by the producer's thread, read by the shipper's; each locks it. */
  private static final class SendFailures {
    private @Nullable Exception first;
    private long refusedUpTo;

    synchronized void add(long sequence, Exception failure) {
      if (isOfRecord(failure)) {
        refusedUpTo = Math.max(refusedUpTo, sequence + 1);
      }
      if (first == null || (isOfRecord(failure) && !isOfRecord(first))) {
        first = failure;
      }
    }

    synchronized long refusedUpTo() {
      return refusedUpTo;
    }

    /** What refuses a record is told rather than what follows from it. */
    synchronized @Nullable Exception first() {
      return first;
    }
  }
}
