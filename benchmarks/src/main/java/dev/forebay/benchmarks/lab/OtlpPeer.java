package dev.forebay.benchmarks.lab;

/** A way to send log records to a collector. */
public enum OtlpPeer {
  /** {@code TieredAppender} with an {@code OtlpDestination}. */
  FOREBAY("`TieredAppender`"),

  /** OpenTelemetry's Logback appender with its SDK's batch processor and HTTP exporter. */
  OPENTELEMETRY("OpenTelemetry's appender");

  private final String label;

  OtlpPeer(String label) {
    this.label = label;
  }

  /** Name for people, in Markdown. */
  public String label() {
    return label;
  }
}
