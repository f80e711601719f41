package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.CallerData;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.util.Map;

/**
 * An event that the flusher adds to the log itself. A ring that gets it from another ring must
 * accept it.
 */
public final class OwnEvent extends LoggingEvent {

  static final String LOGGER = "dev.forebay";

  private OwnEvent() {}

  /**
   * An event without caller or MDC.
   *
   * @param timeMs milliseconds since the epoch
   */
  public static ILoggingEvent of(Level level, String message, LoggerContext context, long timeMs) {
    OwnEvent event = new OwnEvent();
    event.setLoggerName(LOGGER);
    event.setLoggerContextRemoteView(context.getLoggerContextRemoteView());
    event.setLevel(level);
    event.setMessage(message);
    event.setThreadName(Thread.currentThread().getName());
    event.setInstant(Instant.ofEpochMilli(timeMs));
    event.setMDCPropertyMap(Map.of());
    event.setCallerData(CallerData.EMPTY_CALLER_DATA_ARRAY); // determining the caller would throw
    return event;
  }
}
