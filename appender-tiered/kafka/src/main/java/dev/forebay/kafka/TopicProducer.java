package dev.forebay.kafka;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.identity.InstanceId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTransactionsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the records of one spool into the topic. Its transactional id is the spool's: a producer
 * that takes the spool over fences the earlier one. The position is the offset of a group of the
 * same name for partition 0, with its counts as metadata, committed in the same transactions: the
 * brokers keep it in memory, so that it is read with one request.
 *
 * <p>For the shipper's thread, which waits at most {@code max.block.ms} in each method, or {@code
 * delivery.timeout.ms} in {@link #commit}. After a failure it can only be closed: the next producer
 * finds out what was committed.
 */
final class TopicProducer {

  /** Begins the names of our clients, and so of their threads. */
  static final String CLIENT = "forebay-client-";

  private final KafkaSettings settings;
  private final String id;
  private final InstanceId spool;
  private final byte[] instance;
  private final TopicPartition place;
  private final KafkaProducer<byte[], byte[]> producer;
  private boolean isBegun;
  private long begunNs;
  private boolean hasCommitted;

  /** Answers are written by the client's thread, or ours, and read by ours: each locks this. */
  private long awaited;

  /** The shipper's thread, which may be another one after a sleep. */
  private @Nullable Thread shipper;

  private @Nullable Exception failure;
  private @Nullable Refusal refusal;

  /**
   * The first record that was refused for itself. The client reports the same for later records of
   * the transaction, which it has not sent.
   *
   * @param isOfTime whether its time was refused
   * @param byClient whether the client itself refused it, which it always will
   */
  record Refusal(long sequence, long timeMs, boolean isOfTime, boolean byClient) {}

  TopicProducer(KafkaSettings settings, InstanceId spool, int batchBytes) {
    this.settings = settings;
    this.id = "forebay-" + settings.topic() + "-" + spool;
    this.spool = spool;
    this.instance = utf8(spool + "-");
    this.place = new TopicPartition(settings.topic(), 0);
    Map<String, Object> client = new HashMap<>(settings.client());
    client.put(ProducerConfig.CLIENT_ID_CONFIG, CLIENT + spool);
    client.put(ProducerConfig.BATCH_SIZE_CONFIG, batchBytes);
    if (settings.transactions()) {
      client.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    }
    this.producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Fences the spool's earlier producer; returns the position, its begin if brokers know none. */
  SpoolPosition begin() throws IOException {
    if (!settings.transactions()) {
      return SpoolPosition.beginOf(spool);
    }
    try {
      producer.initTransactions();
    } catch (KafkaException e) {
      throw withRight("cannot use transactional id " + id, e, "Write on it");
    }
    ListConsumerGroupOffsetsOptions stable =
        new ListConsumerGroupOffsetsOptions().requireStable(true).timeoutMs(settings.blockMs());
    OffsetAndMetadata position =
        asked(
                "read the position in group",
                "Read on it",
                admin -> admin.listConsumerGroupOffsets(id, stable).partitionsToOffsetAndMetadata())
            .get(place);
    return position == null ? SpoolPosition.beginOf(spool) : KeptPosition.of(spool, position);
  }

  /** Asks the brokers about the transaction or the group, which have the same name. */
  private <T> T asked(String what, String right, Function<Admin, KafkaFuture<T>> question)
      throws IOException {
    Map<String, Object> client = new HashMap<>(settings.client());
    client.keySet().retainAll(AdminClientConfig.configNames());
    client.put(AdminClientConfig.CLIENT_ID_CONFIG, CLIENT + "position");
    Admin admin = Admin.create(client);
    try {
      return question.apply(admin).get(2L * settings.blockMs(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw withRight("cannot " + what + " " + id, e.getCause(), right);
    } catch (TimeoutException e) { // an Error has ended the client's thread
      throw new IOException("cannot " + what + " " + id + ": the client does not answer");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  /** Adds the right that is missing, if that is the cause: brokers do not name it. */
  private static IOException withRight(String what, @Nullable Throwable cause, String right) {
    String told = what + ": " + reason(cause);
    boolean isRefused = told.contains("uthoriz"); // some of the client's have no type of their own
    return new IOException(isRefused ? told + " The user needs " + right : told, cause);
  }

  /** A failure with its causes, of which the innermost says most. */
  static String reason(@Nullable Throwable failure) {
    StringBuilder all = new StringBuilder().append(failure);
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (all.indexOf(String.valueOf(t.getMessage())) < 0) {
        all.append(": ").append(t);
      }
    }
    return all.toString();
  }

  /** What the brokers' clock said when the open transaction began; -1 if unknown. */
  long brokersMs() {
    if (!settings.transactions()) {
      return -1;
    }
    try {
      return asked(
              "ask for the transaction",
              "Describe on it",
              admin ->
                  admin
                      .describeTransactions(
                          List.of(id),
                          new DescribeTransactionsOptions().timeoutMs(settings.blockMs()))
                      .description(id))
          .transactionStartTimeMs()
          .orElse(-1);
    } catch (IOException e) {
      return -1; // later calls fail too, and report it
    }
  }

  /** When the open transaction began, nanoseconds of our clock. */
  long begunNs() {
    return begunNs;
  }

  /**
   * Whether brokers have forgotten the transactional id, which was not used for days: the next
   * client makes it known again.
   */
  boolean hasExpired() {
    return hasCommitted && failure() instanceof InvalidPidMappingException;
  }

  void send(long sequence, long timeMs, byte[] key, byte[] value, EventAttributes attributes)
      throws IOException {
    requireSent(); // each further one might wait as long
    begun();
    ProducerRecord<byte[], byte[]> sent =
        new ProducerRecord<>(settings.topic(), null, timeMs, key, value);
    Headers headers =
        sent.headers().add("forebay-id", idOf(sequence)).add("level", utf8(attributes.level()));
    if (attributes.logger() != null) {
      headers.add("logger", attributes.logger());
    }
    synchronized (this) {
      awaited++;
      shipper = Thread.currentThread();
    }
    Future<RecordMetadata> unused =
        producer.send(sent, (metadata, fault) -> answered(sequence, timeMs, fault));
  }

  /** One header for both, since the client goes through the name of each twice, and brokers too. */
  private byte[] idOf(long sequence) {
    byte[] digits = utf8(Long.toString(sequence));
    byte[] all = Arrays.copyOf(instance, instance.length + digits.length);
    System.arraycopy(digits, 0, all, instance.length, digits.length);
    return all;
  }

  private synchronized void answered(long sequence, long timeMs, @Nullable Exception fault) {
    awaited--;
    if (isOfRecord(fault) && refusal == null) { // reported instead of its consequences
      boolean isOfTime = fault instanceof InvalidTimestampException;
      boolean byClient = Thread.currentThread() == shipper;
      refusal = new Refusal(sequence, timeMs, isOfTime, byClient);
      failure = fault;
    } else if (failure == null) {
      failure = fault;
    }
  }

  /** Whether all answers are there, or one that makes the rest useless. */
  private synchronized boolean isAnswered() {
    return awaited == 0 || failure != null;
  }

  private synchronized @Nullable Exception failure() {
    return failure;
  }

  private void begun() {
    if (settings.transactions() && !isBegun) {
      producer.beginTransaction();
      begunNs = NanoClock.SYSTEM.nanoTime();
      isBegun = true;
    }
  }

  /** Commits the sent records and the position. */
  void commit(SpoolPosition next) throws IOException {
    requireAnswers(); // a commit does not end if a record is refused meanwhile
    if (!settings.transactions()) {
      return;
    }
    begun();
    try {
      producer.sendOffsetsToTransaction(
          Map.of(place, KeptPosition.of(next)), new ConsumerGroupMetadata(id));
    } catch (KafkaException e) {
      throw withRight("cannot keep the position in group " + id, e, "Read on it and on the topic");
    }
    producer.commitTransaction();
    isBegun = false;
    hasCommitted = true;
  }

  /**
   * Waits as long as the client may take. It has a method for that, which never returns once an
   * Error has ended the client's thread.
   */
  private void requireAnswers() throws IOException {
    NanoClock.SYSTEM.await(this::isAnswered, TimeUnit.MILLISECONDS.toNanos(settings.answerMs()));
    requireSent();
    if (!isAnswered()) {
      throw new IOException(
          "the client has not answered for %d ms; making a new one".formatted(settings.answerMs()));
    }
  }

  /** Throws what a broker, or the client, said of a record that was sent. */
  void requireSent() throws IOException {
    Exception fault = failure();
    if (fault != null) {
      throw withRight("cannot send", fault, "Write on the topic");
    }
  }

  /** The first refusal; null if nothing was refused. */
  synchronized @Nullable Refusal refusal() {
    return refusal;
  }

  /**
   * Whether brokers found a batch of several records too large. The client makes new batches of the
   * same size then, and sends those until its time is over; or says it of each of the records.
   */
  boolean hasTooLargeBatches() {
    return failure() instanceof RecordBatchTooLargeException
        || refusal() == null
            && producer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("batch-split-total"))
                .anyMatch(metric -> metric.metricValue() instanceof Double total && total > 0);
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
}
