package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.CallerData;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggerContextVO;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/**
 * A view of an event for the encoder in a log call. Only the logging thread can determine the
 * caller of a log call (class, method, line). If asked on another, the event itself would find the
 * log call on that thread's stack, which may have nothing to do with it. This view has none.
 */
final class EventWithoutCaller extends LoggingEvent {

  private final LoggingEvent event;

  private EventWithoutCaller(LoggingEvent event) {
    this.event = event;
  }

  /** The event, or a view of it if it does not know its caller. */
  static ILoggingEvent of(ILoggingEvent event) {
    return event instanceof LoggingEvent plain && !plain.hasCallerData()
        ? new EventWithoutCaller(plain)
        : event;
  }

  @Override
  public StackTraceElement[] getCallerData() {
    return event.hasCallerData() // by now: another appender asked on the caller's thread
        ? event.getCallerData()
        : CallerData.EMPTY_CALLER_DATA_ARRAY;
  }

  @Override
  public boolean hasCallerData() {
    return event.hasCallerData();
  }

  @Override
  public void prepareForDeferredProcessing() {
    event.prepareForDeferredProcessing();
  }

  @Override
  public String getThreadName() {
    return event.getThreadName();
  }

  @Override
  public Level getLevel() {
    return event.getLevel();
  }

  @Override
  public String getMessage() {
    return event.getMessage();
  }

  @Override
  public Object @Nullable [] getArgumentArray() {
    return event.getArgumentArray();
  }

  @Override
  public String getFormattedMessage() {
    return event.getFormattedMessage();
  }

  @Override
  public String getLoggerName() {
    return event.getLoggerName();
  }

  @Override
  public LoggerContextVO getLoggerContextVO() {
    return event.getLoggerContextVO();
  }

  @Override
  public @Nullable IThrowableProxy getThrowableProxy() {
    return event.getThrowableProxy();
  }

  @Override
  public @Nullable List<Marker> getMarkerList() {
    return event.getMarkerList();
  }

  @Override
  public Map<String, String> getMDCPropertyMap() {
    return event.getMDCPropertyMap();
  }

  @Override
  public long getTimeStamp() {
    return event.getTimeStamp();
  }

  @Override
  public int getNanoseconds() {
    return event.getNanoseconds();
  }

  @Override
  public Instant getInstant() {
    return event.getInstant();
  }

  @Override
  public long getSequenceNumber() {
    return event.getSequenceNumber();
  }

  @Override
  public @Nullable List<KeyValuePair> getKeyValuePairs() {
    return event.getKeyValuePairs();
  }

  @Override
  public long getContextBirthTime() {
    return event.getContextBirthTime();
  }

  @Override
  public String toString() {
    return event.toString();
  }
}
