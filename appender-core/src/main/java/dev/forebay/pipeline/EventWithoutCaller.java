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
 * An event as a thread behind the ring may see it. The caller of a log call can be found out only
 * on the thread that logs. Asked elsewhere, the event itself would remember for good that there is
 * none, and an appender that writes on the caller's thread would read that. This view answers the
 * same and leaves the event alone.
 */
final class EventWithoutCaller extends LoggingEvent {

  private final LoggingEvent event;
  private final Runnable asked;

  /**
   * @param event never asked for its caller unless it knows it
   * @param asked told when somebody asks in vain, by any thread
   */
  EventWithoutCaller(LoggingEvent event, Runnable asked) {
    this.event = event;
    this.asked = asked;
  }

  @Override
  public StackTraceElement[] getCallerData() {
    if (event.hasCallerData()) { // somebody has found it out on the caller's thread
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
