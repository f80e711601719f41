package dev.forebay.benchmarks.lab;

/** A way to log to a topic of a Kafka broker; each client has its own defaults. */
public enum KafkaPeer {
  /** {@code TieredAppender} with a {@code KafkaDestination}. */
  FOREBAY("`TieredAppender`"),

  LOGBACK_KAFKA("logback-kafka-appender"),

  /** As its manual has it for applications that must not wait. */
  LOGBACK_KAFKA_NO_WAIT("the same, `max.block.ms=0`"),

  /** Unlike its defaults, log calls do not wait for the broker, and the client makes batches. */
  LOG4J2("Log4j2 `KafkaAppender`"),

  /** The application calls {@code KafkaProducer.send} itself. */
  PRODUCER("`KafkaProducer.send`");

  private final String label;

  KafkaPeer(String label) {
    this.label = label;
  }

  /** Name for people, in Markdown. */
  public String label() {
    return label;
  }

  /** Whether it is ours, which keeps all or counts what it drops. */
  public boolean isForebay() {
    return this == FOREBAY;
  }
}
