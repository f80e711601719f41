package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.forebay.tiered.encode.EventTime;

/** Graylog Extended Log Format 1.1, as Spring Boot writes it: other fields begin with "_". */
final class GelfFormat extends LineFormat {

  private static final byte[] VERSION = "\"version\":\"1.1\"".getBytes(US_ASCII);

  /** Severities of syslog. */
  private static final int ERROR = 3;

  private static final int WARNING = 4;
  private static final int INFORMATIONAL = 6;
  private static final int DEBUG = 7;

  private final byte[] message = own("short_message");
  private final byte[] timestamp = own("timestamp");
  private final byte[] severity = own("level");
  private final byte[] level = own("_level_name");
  private final byte[] thread = own("_process_thread_name");
  private final byte[] logger = own("_log_logger");
  private final byte[] fullMessage = ownOfThrowable("full_message");
  private final byte[] errorType = ownOfThrowable("_error_type");
  private final byte[] errorMessage = ownOfThrowable("_error_message");
  private final byte[] stackTrace = ownOfThrowable("_error_stack_trace");

  GelfFormat(LineSettings settings) {
    super(settings, new ThrowableProxyConverter(), false, true);
    common("host", "host");
    common("_service_version", "serviceVersion");
    processId("_process_pid");
  }

  @Override
  void writeOwn(ILoggingEvent event, JsonLine line) {
    line.literal(VERSION);
    String text = event.getFormattedMessage();
    line.field(message, text == null || text.isBlank() ? "(blank)" : text);
    line.literal(timestamp);
    EventTime.putSeconds(event.getTimeStamp(), line);
    Level of = event.getLevel();
    line.literal(severity);
    line.decimal(of == null ? DEBUG : severityOf(of));
    line.field(level, of == null ? null : of.toString());
    line.field(thread, event.getThreadName());
    line.field(logger, event.getLoggerName());
    IThrowableProxy throwable = event.getThrowableProxy();
    if (throwable != null) {
      writeStackTrace(fullMessage, String.valueOf(text), event, line);
      line.field(errorType, throwable.getClassName());
      line.literal(errorMessage);
      line.values.write(throwable.getMessage());
      writeStackTrace(stackTrace, null, event, line);
    }
  }

  private static int severityOf(Level level) {
    if (level.isGreaterOrEqual(Level.WARN)) {
      return level.isGreaterOrEqual(Level.ERROR) ? ERROR : WARNING;
    }
    return level.isGreaterOrEqual(Level.INFO) ? INFORMATIONAL : DEBUG;
  }

  @Override
  String prefix() {
    return "_";
  }

  @Override
  String withoutPrefix(String name) {
    return name.startsWith("_") ? name.substring(1) : name;
  }

  /** Letters, digits, "_", "." and "-", by the specification; "_id" is the server's. */
  @Override
  boolean isLegal(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean isWord = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (!isWord && "_.-".indexOf(c) < 0) {
        return false;
      }
    }
    return !name.equals("id");
  }
}
