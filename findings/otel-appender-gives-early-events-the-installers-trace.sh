#!/usr/bin/env bash
# What is logged before OpenTelemetryAppender.install() is exported with the trace and the MDC of the code that calls
# install().
#
# A guess would be that the appender, which keeps the first 1,000 events until then, keeps their span and MDC with them,
# or exports them without a trace. opentelemetry-logback-appender-1.0 2.31.1-alpha keeps Logback's event and asks for
# the current span and the MDC when it replays it.
#
# Seen on 2026-11-28 with JDK 17.0.15: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >pom.xml <<'END'
<project>
 <modelVersion>4.0.0</modelVersion><groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.5.38</version></dependency>
  <dependency><groupId>io.opentelemetry.instrumentation</groupId><artifactId>opentelemetry-logback-appender-1.0</artifactId><version>2.31.1-alpha</version></dependency>
  <dependency><groupId>io.opentelemetry</groupId><artifactId>opentelemetry-sdk-testing</artifactId><version>1.65.0</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.LoggerContext;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.*;
import io.opentelemetry.context.Scope;
import io.opentelemetry.instrumentation.logback.appender.v1_0.OpenTelemetryAppender;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.testing.exporter.InMemoryLogRecordExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.slf4j.*;

public class Main {
  public static void main(String[] args) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    OpenTelemetryAppender appender = new OpenTelemetryAppender();
    appender.setContext(context);
    appender.setCaptureMdcAttributes("*");
    appender.start();
    context.getLogger("a").addAppender(appender);
    Tracer tracer = SdkTracerProvider.builder().build().get("finding");
    Span request = tracer.spanBuilder("request").startSpan();
    Span startUp = tracer.spanBuilder("start-up").startSpan();

    MDC.put("who", "request");
    try (Scope scope = request.makeCurrent()) {
      context.getLogger("a").info("early");
    }
    MDC.put("who", "start-up");
    InMemoryLogRecordExporter exported = InMemoryLogRecordExporter.create();
    OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
        .setLoggerProvider(SdkLoggerProvider.builder()
            .addLogRecordProcessor(SimpleLogRecordProcessor.create(exported))
            .build())
        .build();
    try (Scope scope = startUp.makeCurrent()) {
      OpenTelemetryAppender.install(sdk);
    }
    exported.getFinishedLogRecordItems().forEach(record -> System.out.println(
        record.getBodyValue().asString() + ", logged in the span request: trace of "
            + (record.getSpanContext().getTraceId().equals(startUp.getSpanContext().getTraceId())
                ? "start-up" : "another")
            + ", MDC of " + record.getAttributes().get(AttributeKey.stringKey("who"))));
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
early, logged in the span request: trace of start-up, MDC of start-up
END
