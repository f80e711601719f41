package dev.forebay.kafka;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.DestinationOptions;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.ShippingListener;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka topic as the {@code <destination>} of a {@code TieredAppender}. Readers with {@code
 * isolation.level=read_committed} get each event exactly once: events and the position in the spool
 * are committed in one transaction. While no broker answers, events wait in the spool.
 *
 * <p>A record is what the encoder made, without a line end at its end; it has the event's time and
 * the headers {@code forebay-instance} and {@code forebay-sequence}, which together are unique, and
 * {@code level}. Configured before the appender starts, by one thread.
 */
public final class KafkaDestination implements DestinationOptions {

  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final String APPENDER = "appender";
  private static final String THREAD = "thread";
  private static final String MDC = "mdc:";

  /** Set here: what breaks what is promised if it is something else. */
  private static final Set<String> OURS =
      Set.of(
          ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          ProducerConfig.CLIENT_ID_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.PARTITIONER_CLASS_CONFIG);

  private @Nullable String topic;
  private @Nullable String bootstrapServers;
  private final Map<String, String> producerConfig = new LinkedHashMap<>();
  private @Nullable String malformed;
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
   * from Kafka's: {@code batch.size} 128 KB, {@code linger.ms} 5, {@code max.block.ms} and {@code
   * request.timeout.ms} 10 s, {@code transaction.timeout.ms} 15 s, {@code delivery.timeout.ms} 20
   * s.
   */
  public void addProducerConfig(String setting) {
    int at = setting.indexOf('=');
    if (at <= 0) {
      malformed = setting;
    } else {
      producerConfig.put(setting.substring(0, at).trim(), setting.substring(at + 1).trim());
    }
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
   * some in the topic, with the same two headers.
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

  /** {@inheritDoc} */
  @Override
  public void validate(ConfigFindings findings) {
    String named = topic == null ? "" : topic;
    String servers = bootstrapServers == null ? "" : bootstrapServers;
    if (!TOPIC.matcher(named).matches() || named.equals(".") || named.equals("..")) {
      findings.error(
          "<topic> of <destination> is \"%s\": must be 1 to 249 letters, digits, dots, underscores or hyphens"
              .formatted(named));
    }
    if (servers.isEmpty()) {
      findings.error("<bootstrapServers> of <destination> is missing: write host:port of brokers");
    }
    if (!partitionBy.equals(APPENDER) && !partitionBy.equals(THREAD) && mdcKey() == null) {
      findings.error(
          "<partitionBy> is \"%s\": must be appender, thread or mdc:NAME".formatted(partitionBy));
    }
    Map<String, String> client = new LinkedHashMap<>();
    client.put(ProducerConfig.BATCH_SIZE_CONFIG, "131072"); // of 16 KB a broker takes half as many
    client.put(ProducerConfig.LINGER_MS_CONFIG, "5"); // a commit does not wait for it
    client.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000");
    client.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
    client.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "20000");
    if (transactions) { // a dead process's open transaction holds up readers for so long
      client.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "15000");
    }
    client.putAll(producerConfig);
    client.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    checkClient(findings, servers);
    client.put(ProducerConfig.ACKS_CONFIG, "all");
    client.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings = new KafkaSettings(named, client, transactions);
  }

  private void checkClient(ConfigFindings findings, String servers) {
    if (malformed != null) {
      findings.error("<producerConfig> is \"%s\": must be name=value".formatted(malformed));
    }
    for (Map.Entry<String, String> each : producerConfig.entrySet()) {
      String name = each.getKey();
      String value = each.getValue();
      String setting = name + "=" + value;
      if (OURS.contains(name)) {
        findings.error(
            "<producerConfig> is \"%s\": the destination sets %s itself; remove it"
                .formatted(setting, name));
      } else if (name.equals(ProducerConfig.ACKS_CONFIG)
          && !value.equals("all")
          && !value.equals("-1")) {
        findings.error(
            "<producerConfig> is \"%s\": must be all, since events leave the spool when it is acknowledged"
                .formatted(setting));
      } else if (name.equals(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)
          && !value.toLowerCase(Locale.ROOT).equals("true")) {
        findings.error(
            "<producerConfig> is \"%s\": must be true, or retries would double and reorder events"
                .formatted(setting));
      } else if (!ProducerConfig.configNames().contains(name)) {
        findings.warn(
            "<producerConfig> is \"%s\": Kafka's producer has no %s".formatted(setting, name));
      }
    }
    Map<String, String> known = new LinkedHashMap<>(producerConfig);
    known.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    String serializer = "org.apache.kafka.common.serialization.ByteArraySerializer";
    known.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, serializer);
    known.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, serializer);
    for (ConfigValue value : ProducerConfig.configDef().validate(known)) {
      for (String fault : servers.isEmpty() ? Set.<String>of() : value.errorMessages()) {
        findings.error("<producerConfig>: " + fault);
      }
    }
  }

  private @Nullable String mdcKey() {
    boolean isMdc = partitionBy.startsWith(MDC) && partitionBy.length() > MDC.length();
    return isMdc ? partitionBy.substring(MDC.length()).trim() : null;
  }

  /** {@inheritDoc} */
  @Override
  public byte[] attributes(ILoggingEvent event) {
    String mdc = mdcKey();
    String key =
        mdc != null
            ? event.getMDCPropertyMap().get(mdc)
            : partitionBy.equals(THREAD) ? event.getThreadName() : null;
    return EventAttributes.encode(event, key, loggerHeader);
  }

  /** {@inheritDoc} */
  @Override
  public Filter<ILoggingEvent> ownLog() {
    return ownLog;
  }

  @Override
  @SuppressWarnings("exports")
  public Destination destination(
      byte[] header, byte[] footer, byte[] lineEnd, ShippingListener listener) {
    KafkaSettings checked = settings;
    if (checked == null) {
      throw new IllegalStateException("not validated");
    }
    return new TopicDestination(checked, lineEnd, listener);
  }
}
