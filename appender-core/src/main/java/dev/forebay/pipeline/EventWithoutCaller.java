package dev.forebay.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.CallerData;
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
 * A view of an event for threads after the ring. Only the logging thread can determine the caller
 * of a log call. If asked on another thread, the event itself would permanently store that it has
 * none, and an appender that writes on the caller's thread would read that. This view gives the
 * same answer and leaves the event unchanged.
 */
final class EventWithoutCaller extends LoggingEvent {

  private final LoggingEvent event;
  private final Runnable asked;

  /**
   * @param event the event; asked for its caller only if it knows it
   * @param asked called, on any thread, when code asks for an unknown caller
   */
  EventWithoutCaller(LoggingEvent event, Runnable asked) {
    this.event = event;
    this.asked = asked;
  }

  @Override
  public StackTraceElement[] getCallerData() {
    if (event.hasCallerData()) { // already determined, on the caller's thread
      return event.getCallerData();
    }
    asked.run();
    return CallerData.EMPTY_CALLER_DATA_ARRAY;
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
