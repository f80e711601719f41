package dev.forebay.it.opentelemetry;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.NonBlockingAppender;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.AppenderBeans;
import dev.forebay.tiered.TieredAppender;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.instrumentation.logback.appender.v1_0.OpenTelemetryAppender;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.testing.exporter.InMemoryLogRecordExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a detail and an event in each span, fails in the last one, and prints what became of it: the
 * trace ids, the exported records and the accounts.
 */
@SuppressWarnings("SystemOut")
public final class OpenTelemetryApp {

  private static final Logger LOG = LoggerFactory.getLogger("it");

  private OpenTelemetryApp() {}

  /**
   * Runs and ends.
   *
   * @param args the number of spans; then, unless the agent exports, a configuration of Logback, to
   *     which it changes
   */
  public static void main(String[] args) throws JoranException {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    int spans = Integer.parseInt(args[0]);
    InMemoryLogRecordExporter exporter = InMemoryLogRecordExporter.create();
    if (args.length > 1) {
      LOG.info("before");
      context.reset();
      JoranConfigurator configurator = new JoranConfigurator();
      configurator.setContext(context);
      configurator.doConfigure(
          Objects.requireNonNull(OpenTelemetryApp.class.getResource("/" + args[1])));
      OpenTelemetrySdk sdk =
          OpenTelemetrySdk.builder()
              .setTracerProvider(SdkTracerProvider.builder().build())
              .setLoggerProvider(
                  SdkLoggerProvider.builder()
                      .addLogRecordProcessor(SimpleLogRecordProcessor.create(exporter))
                      .build())
              .buildAndRegisterGlobal();
      OpenTelemetryAppender.install(sdk);
    }
    Tracer tracer = GlobalOpenTelemetry.getTracer("it");
    for (int i = 0; i < spans; i++) {
      int number = i;
      Span span = tracer.spanBuilder("request").startSpan();
      Context.current().with(span).wrap(() -> log(number, number == spans - 1)).run();
      span.end();
      System.out.println("span " + number + " " + span.getSpanContext().getTraceId());
    }
    Map<String, Appender<?>> appenders = AppenderBeans.find(context);
    context.stop();
    appenders.values().forEach(Appender::stop); // OpenTelemetry's for the MDC leaves them running
    appenders.forEach((name, each) -> System.out.println("account " + name + " " + account(each)));
    for (LogRecordData record : exporter.getFinishedLogRecordItems()) {
      String body = Objects.requireNonNull(record.getBodyValue()).asString();
      System.out.println("exported " + record.getSpanContext().getTraceId() + " " + body);
    }
  }

  private static void log(int number, boolean fails) {
    LOG.trace("detail {}", number);
    LOG.info("event {}", number);
    if (fails) {
      LOG.error("failed {}", number);
    }
  }

  private static LedgerSnapshot account(Appender<?> of) {
    return of instanceof TieredAppender tiered
        ? tiered.snapshot()
        : ((NonBlockingAppender) of).snapshot();
  }
}
