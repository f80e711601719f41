package dev.forebay.redact;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggerContextVO;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.helpers.MessageFormatter;

/**
 * Another event with some parts replaced. A subclass, since Logback serializes no other events than
 * its own.
 */
final class RedactedEvent extends LoggingEvent {

  private final ILoggingEvent event;
  private final @Nullable Map<String, String> mdc;
  private final @Nullable List<KeyValuePair> pairs;
  private final @Nullable Object @Nullable [] arguments;
  private final @Nullable List<Marker> markers;
  private final @Nullable String message;
  private final @Nullable String formatted;
  private final @Nullable String thread;
  private final @Nullable String logger;
  private final @Nullable IThrowableProxy thrown;

  RedactedEvent(
      ILoggingEvent event,
      @Nullable Map<String, String> mdc,
      @Nullable List<KeyValuePair> pairs,
      @Nullable Object @Nullable [] arguments,
      boolean hasNewArguments,
      @Nullable List<Marker> markers,
      UnaryOperator<String> texts) {
    this.event = event;
    this.mdc = mdc;
    this.pairs = pairs;
    this.arguments = arguments;
    this.markers = markers;
    String template = event.getMessage();
    String text = hasNewArguments ? format(template, arguments) : event.getFormattedMessage();
    this.message = template == null ? null : texts.apply(template);
    this.formatted = text == null ? null : texts.apply(text);
    String threadName = event.getThreadName();
    this.thread = threadName == null ? null : texts.apply(threadName);
    String loggerName = event.getLoggerName();
    this.logger = loggerName == null ? null : texts.apply(loggerName);
    IThrowableProxy proxy = event.getThrowableProxy();
    this.thrown = proxy == null ? null : RedactedThrowable.of(proxy, texts);
  }

  static @Nullable String format(
      @Nullable String template, @Nullable Object @Nullable [] arguments) {
    return MessageFormatter.arrayFormat(template, arguments).getMessage();
  }

  @Override
  public @Nullable String getThreadName() {
    return thread;
  }

  @Override
  public @Nullable String getLoggerName() {
    return logger;
  }

  @Override
  public @Nullable String getMessage() {
    return message;
  }

  @Override
  public @Nullable String getFormattedMessage() {
    return formatted;
  }

  @Override
  public @Nullable Object @Nullable [] getArgumentArray() {
    return arguments;
  }

  @Override
  public @Nullable IThrowableProxy getThrowableProxy() {
    return thrown;
  }

  @Override
  public @Nullable List<Marker> getMarkerList() {
    return markers;
  }

  @Override
  public @Nullable Map<String, String> getMDCPropertyMap() {
    return mdc;
  }

  @Override
  public @Nullable List<KeyValuePair> getKeyValuePairs() {
    return pairs;
  }

  @Override
  public Level getLevel() {
    return event.getLevel();
  }

  @Override
  public LoggerContextVO getLoggerContextVO() {
    return event.getLoggerContextVO();
  }

  @Override
  public StackTraceElement[] getCallerData() {
    return event.getCallerData();
  }

  @Override
  public boolean hasCallerData() {
    return event.hasCallerData();
  }

  @Override
  public long getTimeStamp() {
    return event.getTimeStamp();
  }

  @Override
  public Instant getInstant() {
    return event.getInstant();
  }

  @Override
  public int getNanoseconds() {
    return event.getNanoseconds();
  }

  @Override
  public long getSequenceNumber() {
    return event.getSequenceNumber();
  }

  @Override
  public void prepareForDeferredProcessing() {
    event.prepareForDeferredProcessing();
  }

  @Override
  public String toString() {
    return "[" + getLevel() + "] " + formatted;
  }
}
