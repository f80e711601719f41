package dev.forebay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.NonBlockingAppender;
import dev.forebay.tiered.AppenderBeans;
import dev.forebay.tiered.TieredAppender;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Appenders of a context and their meters in a registry whose clock stands still. */
abstract class MetersRig {

  private static final Duration LONG = Duration.ofMinutes(1);
  static final String RECORDER = "<flightRecorder><after>0</after></flightRecorder>";

  @TempDir Path dir;

  final LoggerContext context = new LoggerContext();
  final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
  final HandClock clock = new HandClock();
  final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  final ForebayMetrics metrics = new ForebayMetrics(context, List.of(Tag.of("app", "a")));

  @AfterEach
  final void stop() {
    context.stop();
  }

  final void configure(String... appenders) throws JoranException {
    StringBuilder xml = new StringBuilder("<configuration>").append(String.join("", appenders));
    xml.append("<root level='TRACE'>");
    boolean isBehindRing = appenders[appenders.length - 1].contains("NonBlocking");
    for (String each :
        isBehindRing ? List.of(appenders[appenders.length - 1]) : List.of(appenders)) {
      xml.append("<appender-ref ref='").append(each.split("'", 3)[1]).append("'/>");
    }
    xml.append("</root></configuration>");
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator joran = new JoranConfigurator();
    joran.setContext(context);
    joran.doConfigure(new ByteArrayInputStream(xml.toString().getBytes(StandardCharsets.UTF_8)));
  }

  final String file(String name, String more) {
    return """
    <appender name='%s' class='dev.forebay.tiered.TieredAppender'>
      <file>%s</file><spoolDirectory>%s</spoolDirectory>%s
      <encoder><pattern>%%msg%%n</pattern></encoder>
    </appender>
    """
        .formatted(name, dir.resolve(name + ".log"), dir, more);
  }

  static String ring(String name, String to) {
    return "<appender name='%s' class='dev.forebay.NonBlockingAppender'><appender-ref ref='%s'/></appender>"
        .formatted(name, to);
  }

  final TieredAppender tiered(String name) {
    return (TieredAppender) AppenderBeans.find(context).get(name);
  }

  /** From the outer ones to the inner ones. */
  final void flush() {
    AppenderBeans.find(context).values().stream()
        .sorted(
            (a, b) ->
                Boolean.compare(b instanceof NonBlockingAppender, a instanceof NonBlockingAppender))
        .forEach(each -> AppenderBeans.of(each).flush(LONG.toMillis()));
  }

  final void requireLaw(String appender) {
    double offered = value("forebay.offered", "appender", appender);
    double outcomes =
        registry.get("forebay.events").tag("appender", appender).functionCounters().stream()
            .mapToDouble(each -> each.count())
            .sum();
    double held = value("forebay.held", "appender", appender);
    assertThat(outcomes + held + value("forebay.inflight", "appender", appender))
        .isEqualTo(offered);
  }

  final double events(String appender, String outcome) {
    return value("forebay.events", "appender", appender, "outcome", outcome);
  }

  final double value(String name, String... tags) {
    return value(registry.get(name).tags(tags).meter());
  }

  static double value(Meter meter) {
    return StreamSupport.stream(meter.measure().spliterator(), false)
        .mapToDouble(each -> each.getValue())
        .sum();
  }

  static Set<String> appenders(MeterRegistry registry) {
    return registry.getMeters().stream()
        .map(each -> String.valueOf(each.getId().getTag("appender")))
        .collect(Collectors.toSet());
  }

  final Set<String> names(String appender) {
    return registry.getMeters().stream()
        .filter(
            each ->
                Tags.of(each.getId().getTags()).stream()
                    .anyMatch(t -> t.getValue().equals(appender)))
        .map(each -> each.getId().getName())
        .collect(Collectors.toSet());
  }

  /** Stands still until told. */
  static final class HandClock implements Clock {

    private final AtomicLong nowNs = new AtomicLong(1);

    void advance() {
      advanceMs(1000);
    }

    void advanceMs(long ms) {
      nowNs.addAndGet(ms * 1_000_000);
    }

    @Override
    public long wallTime() {
      return nowNs.get() / 1_000_000;
    }

    @Override
    public long monotonicTime() {
      return nowNs.get();
    }
  }
}
