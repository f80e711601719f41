package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an event is made of whose line is a sample for others. Its texts occur in no line by chance.
 *
 * @param argument of the message; null for none
 */
record Sample(
    Level level,
    Instant instant,
    String message,
    String logger,
    String thread,
    @Nullable String argument) {

  /** The value of an MDC key. */
  static final String VALUE = "value of a sample";

  /** Of which the template is made: each text stands for itself. */
  static Sample plain(Level level) {
    return new Sample(
        level,
        Instant.ofEpochSecond(1_709_290_741, 123_456_789),
        "message of a sample",
        "forebay.sample.of.Logger",
        "thread of a sample",
        "argument of a sample");
  }

  /** One that a template must write as well: all else, in the other half of the year. */
  static Sample other(Level level, boolean hasPairs) {
    return new Sample(
        level,
        Instant.ofEpochSecond(1_724_918_400, 120_000_000),
        "{}/\"\\\b\t\n\f\r<&>'\u00a0\u00e9\ufeff\uffff" + (hasPairs ? "\ud83d\ude00" : ""),
        "Other\"",
        "",
        null);
  }

  /** A surrogate pair alone. */
  static Sample pair(Level level) {
    return new Sample(level, Instant.EPOCH, "a\ud83d\ude00", "a", "a", null);
  }

  /** In the order of the template's slots. */
  byte[][] texts(LineTemplate.Dialect dialect) {
    TextBuffer time = new TextBuffer(UTF_8);
    boolean unused =
        new EventTime().put(event(null, Map.of()), dialect.form(), dialect.zone(), time);
    return new byte[][] {
      time.toBytes(), message.getBytes(UTF_8), logger.getBytes(UTF_8), thread.getBytes(UTF_8)
    };
  }

  LoggingEvent event(@Nullable LoggerContext context, Map<String, String> mdc) {
    LoggingEvent event = new LoggingEvent();
    event.setLevel(level);
    event.setInstant(instant);
    event.setMessage(message);
    event.setLoggerName(logger);
    event.setThreadName(thread);
    event.setMDCPropertyMap(mdc);
    if (argument != null) {
      event.setArgumentArray(new Object[] {argument});
    }
    if (context != null) {
      event.setLoggerContextRemoteView(context.getLoggerContextRemoteView());
    }
    return event;
  }
}
