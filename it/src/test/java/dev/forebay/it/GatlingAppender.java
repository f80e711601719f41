package dev.forebay.it;

import java.nio.file.Path;
import java.util.Locale;

/**
 * The appenders that an application under load logs through: as many events in memory, the same
 * encoder, the same rolling file, and all time they need when they are stopped.
 */
enum GatlingAppender {
  /** With the threshold of the next: the whole ring is for every level. */
  FOREBAY {
    @Override
    String xml(Path logs, Path spool) {
      return """
      <appender name="JSON" class="dev.forebay.tiered.TieredAppender">
        %s
        <ringBufferSize>32768</ringBufferSize>
        <discardingThreshold>0</discardingThreshold>
        <maxFlushTime>60 seconds</maxFlushTime>
        <listener class="dev.forebay.observe.LoggingFailureListener"/>
        %s
      </appender>
      """
          .formatted(Xml.places(activeFile(logs), spool), fileContent(logs));
    }
  },

  /** With the threshold of Play's own configuration, which keeps every event. */
  ASYNC {
    @Override
    String xml(Path logs, Path spool) {
      return """
      <appender %s</appender>
      <appender name="JSON" class="ch.qos.logback.classic.AsyncAppender">
        <queueSize>32768</queueSize>
        <discardingThreshold>0</discardingThreshold>
        <maxFlushTime>60000</maxFlushTime>
        <appender-ref ref="FILE"/>
      </appender>
      """
          .formatted(rollingFile(logs));
    }
  },

  /** With its default, which drops when it is full. */
  DISRUPTOR {
    @Override
    String xml(Path logs, Path spool) {
      return """
      <appender %s</appender>
      <appender name="JSON"
          class="net.logstash.logback.appender.LoggingEventAsyncDisruptorAppender">
        <ringBufferSize>32768</ringBufferSize>
        <shutdownGracePeriod>1 minute</shutdownGracePeriod>
        <listener
          class="net.logstash.logback.appender.listener.FailureSummaryLoggingAppenderListener"/>
        <appender-ref ref="FILE"/>
      </appender>
      """
          .formatted(rollingFile(logs));
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
  abstract String xml(Path logs, Path spool);

  /**
   * All that the application logs, from TRACE on, counted and then logged.
   *
   * @param counter the class of an appender that counts
   */
  String configuration(String counter, Path logs, Path spool) {
    return """
    <configuration>
      <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
        <filter class="ch.qos.logback.classic.filter.ThresholdFilter"><level>WARN</level></filter>
        <encoder><pattern>%%-5level %%logger{15} - %%message%%n%%xException{10}</pattern></encoder>
      </appender>
      <appender name="COUNT" class="%s"/>
      %s
      <root level="TRACE">
        <appender-ref ref="COUNT"/><appender-ref ref="JSON"/><appender-ref ref="STDOUT"/>
      </root>
    </configuration>
    """
        .formatted(counter, xml(logs, spool));
  }

  static Path activeFile(Path logs) {
    return logs.resolve("app.log");
  }

  private static String rollingFile(Path logs) {
    return """
    name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
      <file>%s</file>
      <immediateFlush>false</immediateFlush>
      %s
    """
        .formatted(activeFile(logs), fileContent(logs));
  }

  private static String fileContent(Path logs) {
    return Xml.rollBySize(logs, "20MB") + ENCODER;
  }

  /** As it is called on the command line and in tables. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
