package dev.forebay.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import dev.forebay.tiered.encode.EventTime;
import java.time.ZoneOffset;

/** Elastic Common Schema, as Elastic's EcsEncoder: names with dots, no objects. */
final class EcsFormat extends LineFormat {

  private static final byte[] TIMESTAMP = "\"@timestamp\":\"".getBytes(US_ASCII);

  private final byte[] level = own("log.level");
  private final byte[] message = own("message");
  private final byte[] thread = own("process.thread.name");
  private final byte[] logger = own("log.logger");
  private final byte[] errorType = ownOfThrowable("error.type");
  private final byte[] errorMessage = ownOfThrowable("error.message");
  private final byte[] stackTrace = ownOfThrowable("error.stack_trace");

  EcsFormat(LineSettings settings) {
    super(settings, new ThrowableProxyConverter(), true, true);
    own("@timestamp");
    constant("ecs.version", "1.2.0");
    common("service.name", "serviceName");
    common("service.version", "serviceVersion");
    common("service.environment", "serviceEnvironment");
    common("service.node.name", "serviceNodeName");
    String dataset = settings.common().get("eventDataset");
    constant("event.dataset", dataset == null ? settings.common().get("serviceName") : dataset);
    processId("process.pid");
  }

  @Override
  void writeOwn(ILoggingEvent event, JsonLine line) {
    line.literal(TIMESTAMP);
    line.time.put(timeOf(event), EventTime.Form.THREE, ZoneOffset.UTC, line);
    line.ascii('"');
    Level of = event.getLevel();
    line.field(level, of == null ? null : of.toString());
    line.field(message, String.valueOf(event.getFormattedMessage()));
    line.field(thread, event.getThreadName());
    line.field(logger, event.getLoggerName());
    IThrowableProxy throwable = event.getThrowableProxy();
    if (throwable != null) {
      line.field(errorType, throwable.getClassName());
      line.field(errorMessage, throwable.getMessage());
      writeStackTrace(stackTrace, null, event, line);
    }
  }

  @Override
  boolean isLegal(String name) {
    return !name.isEmpty();
  }
}
