package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ExtendedThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextVO;
import dev.forebay.tiered.encode.EventTime;
import java.time.ZoneId;
import java.util.Map;

/** As the LogstashEncoder of logstash-logback-encoder, with its defaults. */
final class LogstashFormat extends LineFormat {

  private static final byte[] TIMESTAMP = "\"@timestamp\":\"".getBytes(US_ASCII);

  private final byte[] message = own("message");
  private final byte[] logger = own("logger_name");
  private final byte[] thread = own("thread_name");
  private final byte[] level = own("level");
  private final byte[] levelValue = own("level_value");
  private final byte[] stackTrace = ownOfThrowable("stack_trace");

  private final ZoneId zone = ZoneId.systemDefault();

  LogstashFormat(LineSettings settings) {
    super(settings, new ExtendedThrowableProxyConverter(), true, false);
    own("@timestamp");
    constant("@version", "1");
  }

  @Override
  void writeOwn(ILoggingEvent event, JsonLine line) {
    line.literal(TIMESTAMP);
    line.time.put(timeOf(event), EventTime.Form.FEWEST, zone, line);
    line.ascii('"');
    line.field(message, event.getFormattedMessage());
    line.field(logger, event.getLoggerName());
    line.field(thread, event.getThreadName());
    Level of = event.getLevel();
    if (of != null) {
      line.field(level, of.toString());
      line.literal(levelValue);
      line.decimal(of.toInt());
    }
    if (event.getThrowableProxy() != null) {
      writeStackTrace(stackTrace, null, event, line);
    }
  }

  @Override
  Map<String, String> contextOf(ILoggingEvent event) {
    LoggerContextVO context = event.getLoggerContextVO();
    return context == null || context.getPropertyMap() == null
        ? Map.of()
        : context.getPropertyMap();
  }
}
