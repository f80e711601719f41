package dev.forebay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.tiered.AppenderBeans;
import dev.forebay.tiered.TieredAppender;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Appenders of a context and their meters in a registry whose clock stands still. */
abstract class MetersRig {

  static final Duration SECOND = Duration.ofSeconds(1);
  static final String RECORDER = "<flightRecorder><after>0</after></flightRecorder>";

  static final String RING =
      "<appender name='RING' class='dev.forebay.NonBlockingAppender'>"
          + "<appender-ref ref='FILE'/></appender>";

  @TempDir Path dir;

  final LoggerContext context = new LoggerContext();
  final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
  final MockClock clock = new MockClock();
  final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  final ForebayMetrics metrics = new ForebayMetrics(context, List.of(Tag.of("app", "a")));

  @AfterEach
  final void stop() {
    context.stop();
  }

  final void configure(String ofRoot, String... appenders) throws JoranException {
    String references = ofRoot.replaceAll("\\w+", "<appender-ref ref='$0'/>");
    String root = "<root level='TRACE'>" + references + "</root>";
    String xml = "<configuration>" + String.join("", appenders) + root + "</configuration>";
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator joran = new JoranConfigurator();
    joran.setContext(context);
    joran.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
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

  final TieredAppender tiered(String name) {
    return (TieredAppender) AppenderBeans.find(context).get(name);
  }

  /** Twice: what leaves the ring the first time is in the log after the second. */
  final void flush() {
    for (int i = 0; i < 2; i++) {
      AppenderBeans.find(context).values().forEach(each -> AppenderBeans.of(each).flush(60_000));
    }
    clock.add(SECOND);
  }

  final void requireLaw(String appender) {
    assertThat(
            value("forebay.events", "appender", appender)
                + value("forebay.held", "appender", appender)
                + value("forebay.inflight", "appender", appender))
        .isEqualTo(value("forebay.offered", "appender", appender));
  }

  final double events(String appender, String outcome) {
    return value("forebay.events", "appender", appender, "outcome", outcome);
  }

  final double value(String name, String... tags) {
    return registry.get(name).tags(tags).meters().stream()
        .mapToDouble(each -> each.measure().iterator().next().getValue())
        .sum();
  }

  final Set<String> appenders() {
    return registry.getMeters().stream()
        .filter(each -> each.getId().getTag("appender") != null)
        .map(each -> String.valueOf(each.getId().getTag("appender")))
        .collect(Collectors.toSet());
  }

  final Set<String> names(String appender) {
    return registry.getMeters().stream()
        .filter(each -> appender.equals(each.getId().getTag("appender")))
        .map(each -> each.getId().getName())
        .collect(Collectors.toSet());
  }
}
