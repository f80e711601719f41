package dev.forebay.kafka;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import dev.forebay.ConfigFindings;
import dev.forebay.pipeline.EventPart;
import dev.forebay.tiered.DestinationOptions;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka topic as the {@code <destination>} of a {@code TieredAppender}. Readers with {@code
 * isolation.level=read_committed} get each event exactly once: events and the position in the spool
 * are committed in one transaction. While no broker answers, events wait in the spool.
 *
 * <p>A record is what the encoder made, without a line end at its end; it has the event's time and
 * the headers {@code forebay-id}, which is unique (the spool's instance, a hyphen, the sequence),
 * and {@code level}. Configured before the appender starts, by one thread.
 */
public final class KafkaDestination implements DestinationOptions {

  private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");
  private static final String APPENDER = "appender";
  private static final String THREAD = "thread";
  private static final String MDC = "mdc:";
  private static final Pattern SERVERS = Pattern.compile("(\\s*[^,\\s]+:\\d{1,5}\\s*(,|$))+");

  /** With Kafka's default of 16 KB, a broker takes half as many events. */
  private static final long BATCH_BYTES = 128 << 10;

  /** Small, since a commit waits for it; and batches are filled by what waits in the spool. */
  private static final long LINGER_MS = 5;

  /** Brokers refuse more, unless configured otherwise. */
  private static final long MAX_TRANSACTION_MS = 900_000;

  /** Settings fixed here: other values would break the promises. */
  private static final Set<String> OURS =
      Set.of(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          ProducerConfig.CLIENT_ID_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.PARTITIONER_CLASS_CONFIG);

  private String topic = "";
  private String bootstrapServers = "";
  private final List<String> producerConfig = new ArrayList<>();
  private String partitionBy = APPENDER;
  private boolean loggerHeader;
  private boolean transactions = true;
  private final ClientLogFilter ownLog = new ClientLogFilter();
  private @Nullable KafkaSettings settings;

  /** Without topic and brokers, which are required. */
  public KafkaDestination() {}

  /** The topic; required. */
  public void setTopic(String topic) {
    this.topic = topic.trim();
  }

  /** Brokers to begin with, {@code host:port} separated by commas; required. */
  public void setBootstrapServers(String servers) {
    this.bootstrapServers = servers.trim();
  }

  /**
   * A setting of Kafka's producer, as {@code name=value}; may be repeated. Defaults that differ
   * from Kafka's: {@code batch.size} 128 KB, {@code max.block.ms} and {@code request.timeout.ms} 10
   * s, {@code transaction.timeout.ms} 15 s, {@code delivery.timeout.ms} 20 s, or what the
   * configured ones require. {@code linger.ms} is 5.
   */
  public void addProducerConfig(String setting) {
    producerConfig.add(setting);
  }

  /**
   * Within what the order of events is kept: {@code appender} (default; all of this one on this
   * machine), {@code thread}, or {@code mdc:NAME}, where events without that key count as the
   * appender's. It is the record's key.
   */
  public void setPartitionBy(String partitionBy) {
    this.partitionBy = partitionBy.trim();
  }

  /** Whether records have a header {@code logger} too. Default: false. */
  public void setLoggerHeader(boolean loggerHeader) {
    this.loggerHeader = loggerHeader;
  }

  /**
   * Whether events become visible by transactions. Default: true. With false, a kill may repeat
   * some in the topic, with the same header.
   */
  public void setTransactions(boolean transactions) {
    this.transactions = transactions;
  }

  @Override
  public String name() {
    return "topic " + topic;
  }

  @Override
  public boolean needsAttributes() {
    return true;
  }

  @Override
  public void validate(long commitMs, ConfigFindings findings) {
    if (!TOPIC.matcher(topic).matches()) {
      findings.error(
          "<topic> of <destination> is \"%s\": must be 1 to 249 letters, digits, dots, underscores or hyphens"
              .formatted(topic));
    }
    if (!SERVERS.matcher(bootstrapServers).matches()) {
      findings.error(
          "<bootstrapServers> of <destination> is \"%s\": must be host:port of brokers, separated by commas"
              .formatted(bootstrapServers));
    }
    if (!partitionBy.equals(APPENDER) && !partitionBy.equals(THREAD) && mdcKey() == null) {
      findings.error(
          "<partitionBy> is \"%s\": must be appender, thread or mdc:NAME".formatted(partitionBy));
    }
    settings = settings(checkedConfig(findings), commitMs);
    KafkaSettings.faults(settings.client())
        .forEach(fault -> findings.error("<producerConfig>: " + fault));
    long transactionMs = number(settings.client(), ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 0);
    if (transactions && commitMs >= transactionMs) {
      findings.error(
          "<fsync> is %d ms: must be less than the producer's %s, %d, or brokers abort each transaction"
              .formatted(commitMs, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, transactionMs));
    }
  }

  /** The user's settings, and our defaults that fit them. */
  private KafkaSettings settings(Map<String, String> client, long commitMs) {
    client.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    client.put(ProducerConfig.ACKS_CONFIG, "all");
    client.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    client.put(ProducerConfig.LINGER_MS_CONFIG, String.valueOf(LINGER_MS));
    String serializer = ByteArraySerializer.class.getName();
    client.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, serializer);
    client.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, serializer);
    long deliveryMs = number(client, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Long.MAX_VALUE);
    long requestMs = Math.max(1, Math.min(10_000, deliveryMs - LINGER_MS));
    requestMs = orDefault(client, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMs);
    deliveryMs = Math.min(Integer.MAX_VALUE, Math.max(20_000, requestMs + LINGER_MS));
    deliveryMs = orDefault(client, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryMs);
    long blockMs = orDefault(client, ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    if (transactions) { // a dead process's open transaction holds up readers for so long
      long openMs = Math.max(15_000, Math.min(MAX_TRANSACTION_MS, 2 * commitMs));
      orDefault(client, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, openMs);
    }
    long batch = number(client, ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    batch = Math.min(batch, number(client, ProducerConfig.BUFFER_MEMORY_CONFIG, BATCH_BYTES));
    int patienceMs = (int) Math.min(Integer.MAX_VALUE / 2, blockMs);
    return new KafkaSettings(
        topic, client, transactions, (int) batch, patienceMs, deliveryMs, null);
  }

  private static long orDefault(Map<String, String> client, String name, long value) {
    client.putIfAbsent(name, String.valueOf(value));
    return number(client, name, value);
  }

  /** A configured number; if it is none, which is an ERROR anyway, another one. */
  private static long number(Map<String, String> client, String name, long instead) {
    try {
      return Long.parseLong(client.getOrDefault(name, ""));
    } catch (NumberFormatException e) {
      return instead;
    }
  }

  /** The user's settings. Findings never show their values: some are passwords. */
  private Map<String, String> checkedConfig(ConfigFindings findings) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int i = 0; i < producerConfig.size(); i++) {
      String[] setting = producerConfig.get(i).split("=", 2);
      if (setting.length < 2 || setting[0].isBlank()) {
        findings.error("<producerConfig>: number %d must be name=value".formatted(i + 1));
      } else {
        all.put(setting[0].trim(), setting[1].trim());
      }
    }
    all.forEach((name, value) -> check(name, value, findings));
    return all;
  }

  private static void check(String name, String value, ConfigFindings findings) {
    boolean isTrue = value.equalsIgnoreCase("true");
    if (OURS.contains(name)) {
      findings.error("<producerConfig>: the destination sets %s itself; remove it".formatted(name));
    } else if (name.equals(ProducerConfig.ACKS_CONFIG) && !Set.of("all", "-1").contains(value)) {
      findings.error(
          "<producerConfig>: acks must be all, since events leave the spool when it is acknowledged");
    } else if (name.equals(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG) && !isTrue) {
      findings.error(
          "<producerConfig>: %s must be true, or retries would double and reorder events"
              .formatted(name));
    } else if (name.equals(ProducerConfig.LINGER_MS_CONFIG)) {
      findings.warn(
          "<producerConfig>: linger.ms has no meaning here: <fsync> says how long events are gathered");
    } else if (name.equals(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG) && isTrue) {
      findings.warn(
          "<producerConfig>: %s breaks the order of events, which is kept within a key: remove it"
              .formatted(name));
    } else if (!ProducerConfig.configNames().contains(name)) {
      findings.warn("<producerConfig>: Kafka's producer has no %s".formatted(name));
    }
  }

  private @Nullable String mdcKey() {
    boolean isMdc = partitionBy.startsWith(MDC) && partitionBy.length() > MDC.length();
    return isMdc ? partitionBy.substring(MDC.length()).trim() : null;
  }

  @Override
  public byte[] attributes(ILoggingEvent event) {
    String mdc = mdcKey();
    String key =
        mdc != null
            ? EventPart.of(event, any -> any.getMDCPropertyMap().get(mdc))
            : partitionBy.equals(THREAD) ? event.getThreadName() : null;
    return EventAttributes.encode(event, key, loggerHeader);
  }

  @Override
  public Filter<ILoggingEvent> ownLog() {
    return ownLog;
  }

  @Override
  @SuppressWarnings("exports")
  public Destination destination(
      byte[] header, byte[] footer, byte[] lineEnd, ShippingListener listener) {
    KafkaSettings checked = Objects.requireNonNull(settings, "not validated");
    return new TopicDestination(checked, lineEnd, listener);
  }

  @Override
  public Map<String, String> description() {
    return Objects.requireNonNull(settings, "not validated").description();
  }
}
