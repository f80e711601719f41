package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.otlp.OtlpDestination;
import dev.forebay.tiered.TieredAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

/**
 * The appender that sends log records, by {@code forebay.otlp} and, where that has nothing, by the
 * properties of Boot's own exporter. What neither has is taken from OpenTelemetry's variables.
 */
final class OtlpLog {

  static final String NAME = "OTLP";

  private static final String SERVICE = "service.name";

  private final ConfigurableEnvironment environment;
  private final Binder binder;
  private final OtlpDestination destination = new OtlpDestination();

  private OtlpLog(ConfigurableEnvironment environment) {
    this.environment = environment;
    this.binder = Binder.get(environment);
  }

  /** Has tried to start; a status says what is wrong if it did not. */
  static TieredAppender started(LoggerContext context, ConfigurableEnvironment environment) {
    if (!ClassUtils.isPresent("dev.forebay.otlp.OtlpDestination", null)) {
      throw RefusedStart.of(
          "forebay.otlp.endpoint needs dev.forebay:forebay-otlp on the class path");
    }
    TieredAppender appender = new TieredAppender();
    appender.setName(NAME);
    appender.setContext(context);
    appender.setDestination(new OtlpLog(environment).configured());
    List<String> problems = ForebayProperties.apply(environment, appender, appender::addWarn);
    problems.forEach(appender::addError);
    if (problems.isEmpty()) {
      appender.start();
    }
    return appender;
  }

  private OtlpDestination configured() {
    List<String> prefixes = new ArrayList<>(ForebayProperties.OTLP_OF_BOOT);
    prefixes.add(ForebayProperties.OTLP);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String prefix : prefixes) {
      String endpoint = environment.getProperty(prefix + ".endpoint");
      if (endpoint != null) {
        destination.setEndpoint(endpoint);
      }
      headers.putAll(map(prefix + ".headers"));
      binder.bind(prefix + ".compression", String.class).ifBound(destination::setCompression);
      binder
          .bind(prefix + ".timeout", Duration.class)
          .ifBound(time -> destination.setTimeout(time.toMillis() + " ms"));
    }
    headers.forEach((name, value) -> destination.addHeader(name + "=" + value));
    resource()
        .forEach(
            (name, value) ->
                destination.addResource(
                    name + "=" + value.replace("%", "%25").replace(",", "%2C")));
    return destination;
  }

  private Map<String, String> resource() {
    Map<String, String> all = new LinkedHashMap<>();
    String application = environment.getProperty("spring.application.name");
    boolean isNamed =
        environment.getProperty("OTEL_SERVICE_NAME") != null
            || environment.getProperty("OTEL_RESOURCE_ATTRIBUTES", "").contains(SERVICE + "=");
    if (application != null && !isNamed) {
      all.put(SERVICE, application);
    }
    all.putAll(map("management.opentelemetry.resource-attributes"));
    all.putAll(map(ForebayProperties.OTLP + ".resource"));
    return all;
  }

  private Map<String, String> map(String name) {
    return binder.bind(name, Bindable.mapOf(String.class, String.class)).orElse(Map.of());
  }
}
