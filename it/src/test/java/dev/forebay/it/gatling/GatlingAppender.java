package dev.forebay.it.gatling;

import dev.forebay.it.support.Xml;
import java.util.Locale;

/**
 * The appenders that an application under load logs through: as many events in memory, the same
 * encoder, the same rolling file, and all time they need when they are stopped.
 */
enum GatlingAppender {
  /** With its default, which sheds TRACE and DEBUG when half of the ring is full. */
  FOREBAY {
    @Override
    String xml(GatlingLogging logging) {
      return tiered(logging, "");
    }
  },

  /** The same with a flight recorder, for which the log has nothing below INFO. */
  RECORDER {
    @Override
    String xml(GatlingLogging logging) {
      return tiered(logging, "<flightRecorder><key>traceId</key></flightRecorder>");
    }
  },

  /** The same without one: what is below INFO is switched off. */
  INFO {
    @Override
    String xml(GatlingLogging logging) {
      return tiered(logging, "");
    }

    @Override
    String level() {
      return "INFO";
    }
  },

  /** With the threshold of Play's own configuration, which keeps every event. */
  ASYNC {
    @Override
    String xml(GatlingLogging logging) {
      return """
      <appender %s</appender>
      <appender name="JSON" class="ch.qos.logback.classic.AsyncAppender">
        <queueSize>%d</queueSize>
        <discardingThreshold>0</discardingThreshold>
        <maxFlushTime>60000</maxFlushTime>
        <appender-ref ref="FILE"/>
      </appender>
      """
          .formatted(rollingFile(logging), logging.capacity());
    }
  },

  /** With its default, which drops when it is full. */
  DISRUPTOR {
    @Override
    String xml(GatlingLogging logging) {
      return """
      <appender %s</appender>
      <appender name="JSON"
          class="net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender">
        <ringBufferSize>%d</ringBufferSize>
        <shutdownGracePeriod>1 minute</shutdownGracePeriod>
        <listener
          class="net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener"/>
        <appender-ref ref="FILE"/>
      </appender>
      """
          .formatted(rollingFile(logging), logging.capacity());
    }
  };

  private static final String ENCODER =
      """
      <encoder class="net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder">
        <providers>
          <timestamp/> <logLevel/> <loggerName/> <threadName/> <message/> <logstashMarkers/>
          <arguments/> <stackTrace/>
        </providers>
      </encoder>
      """;

  /** The appender, which is called JSON. */
  abstract String xml(GatlingLogging logging);

  /** Of the root logger. */
  String level() {
    return "TRACE";
  }

  private static String tiered(GatlingLogging logging, String more) {
    return """
    <appender name="JSON" class="dev.forebay.tiered.TieredAppender">
      %s
      <ringBufferSize>%d</ringBufferSize>
      <ringBufferBytes>%d KB</ringBufferBytes>
      <maxFlushTime>60 seconds</maxFlushTime>
      <listener class="dev.forebay.observe.LoggingFailureListener"/>
      %s
      %s
    </appender>
    """
        .formatted(
            Xml.places(logging.active(), logging.spool()),
            logging.capacity(),
            logging.capacity(),
            more,
            fileContent(logging));
  }

  private static String rollingFile(GatlingLogging logging) {
    return """
    name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
      <file>%s</file>
      <immediateFlush>false</immediateFlush>
      %s
    """
        .formatted(logging.active(), fileContent(logging));
  }

  private static String fileContent(GatlingLogging logging) {
    return Xml.rollBySize(logging.logs(), "20MB") + ENCODER;
  }

  /** As it is called on the command line and in tables. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
