package dev.forebay.it.support;

import java.nio.file.Path;

/** Logback configurations with one TieredAppender. */
public final class Xml {

  /** The encoder of messages that prove themselves. */
  public static final String MESSAGES = "<encoder><pattern>%msg%n</pattern></encoder>";

  /** Settles so often that no test waits for it. */
  public static final String FAST = "<fsync>50 milliseconds</fsync>";

  private Xml() {}

  /** Properties for a log and a spool of a test's own. */
  public static String places(Path log, Path spool) {
    return "<file>%s</file><spoolDirectory>%s</spoolDirectory>".formatted(log, spool);
  }

  /** Rolls by size, with the date and a counter in the name. */
  public static String rollBySize(Path directory, String size) {
    return """
    <rollingPolicy class="ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy">
      <fileNamePattern>%s/app-%%d{yyyy-MM-dd}.%%i.log</fileNamePattern>
      <maxFileSize>%s</maxFileSize>
    </rollingPolicy>
    """
        .formatted(directory, size);
  }

  /** A configuration around the inner elements of the appender. */
  public static String configuration(String inner) {
    return """
    <configuration>
      <appender name="LOG" class="dev.forebay.tiered.TieredAppender">
        %s
      </appender>
      <root level="TRACE"><appender-ref ref="LOG"/></root>
    </configuration>
    """
        .formatted(inner);
  }
}
