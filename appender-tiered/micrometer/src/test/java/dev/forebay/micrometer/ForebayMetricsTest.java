package dev.forebay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters of all appenders of a context: what they count, and when they come and go. */
class ForebayMetricsTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String RECORDER = "<flightRecorder><after>0</after></flightRecorder>";

  @TempDir private Path dir;

  private final LoggerContext context = new LoggerContext();
  private final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
  private final HandClock clock = new HandClock();
  private final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final ForebayMetrics metrics = new ForebayMetrics(context, List.of(Tag.of("app", "a")));

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void theOutcomesAddUpToWhatWasOfferedWithEveryFeatureOn() throws Exception {
    configure(file("FILE", RECORDER), ring("RING", "FILE"));
    metrics.bindTo(registry);
    for (int i = 0; i < 100; i++) {
      root.trace("recorded");
      root.info("delivered");
    }
    root.error("dumped");
    flush();
    Await.until("a dump", () -> AppenderBeans.of(tiered("FILE")).getAccount().get("dumps") == 1);
    tiered("FILE").stop();
    root.warn("refused");
    flush();
    clock.advance();

    requireLaw("RING");
    requireLaw("FILE");
    assertThat(value("forebay.offered", "appender", "RING")).isEqualTo(202);
    assertThat(events("FILE", "delivered")).isBetween(101.0, 102.0); // a line names the dump
    assertThat(events("FILE", "expired")).isEqualTo(100);
    assertThat(events("RING", "dropped")).isEqualTo(1);
    assertThat(value("forebay.dumps", "appender", "FILE", "outcome", "written")).isEqualTo(1);
    assertThat(value("forebay.dumped", "appender", "FILE")).isEqualTo(201);
  }

  @Test
  void oneReadingIsOfOneMomentWhileOthersLog() throws Exception {
    configure(file("FILE", RECORDER + "<ringBufferSize>2</ringBufferSize>"), ring("RING", "FILE"));
    metrics.bindTo(registry);
    Thread logs =
        new Thread(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                root.debug("recorded");
                root.info("delivered");
              }
            });
    logs.start();
    do {
      clock.advance();
      requireLaw("RING");
      requireLaw("FILE");
    } while (logs.isAlive());
    flush();
    clock.advance();
    requireLaw("RING");
    assertThat(value("forebay.offered", "appender", "RING")).isGreaterThanOrEqualTo(40_000);
    assertThat(value("forebay.inflight", "appender", "RING")).isZero();
  }

  @Test
  void dropsAreSplitByReasonAndLevelAndAddUp() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    assertThat(registry.find("forebay.dropped").meters()).isEmpty();
    tiered("FILE").stop();
    root.info("one");
    root.warn("two");
    root.warn("three");
    clock.advance();
    assertThat(events("FILE", "dropped")).isEqualTo(3);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "INFO")).isEqualTo(1);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "WARN")).isEqualTo(2);
    assertThat(registry.find("forebay.dropped").meters()).hasSize(2);
  }

  @Test
  void aDropBeforeTheBindingHasItsMeterAtOnce() throws Exception {
    configure(file("FILE", ""));
    tiered("FILE").stop();
    root.error("early");
    metrics.bindTo(registry);
    assertThat(value("forebay.dropped", "reason", "STOPPED", "level", "ERROR")).isEqualTo(1);
  }

  @Test
  void onlyWhatIsConfiguredHasMeters() throws Exception {
    configure(file("FILE", ""), ring("RING", "FILE"));
    metrics.bindTo(registry);
    assertThat(names("RING")).doesNotContain("forebay.spool", "forebay.dumps", "forebay.jvm.lost");
    assertThat(names("FILE"))
        .contains("forebay.spool", "forebay.spool.limit", "forebay.recovered")
        .doesNotContain("forebay.dumps", "forebay.recorder", "forebay.jvm.lost");
  }

  @Test
  void metersFollowAReconfiguration() throws Exception {
    metrics.bindTo(registry);
    assertThat(registry.getMeters()).isEmpty();
    configure(file("FIRST", ""));
    root.info("one");
    flush();
    clock.advance();
    assertThat(events("FIRST", "delivered")).isEqualTo(1);
    context.reset();
    assertThat(registry.getMeters()).isEmpty();
    configure(file("SECOND", RECORDER));
    assertThat(appenders(registry)).containsExactly("SECOND");
    root.info("two");
    flush();
    clock.advance();
    assertThat(events("SECOND", "delivered")).isEqualTo(1);
  }

  @Test
  void metersFollowAConfigurationWithoutAReset() throws Exception {
    configure(file("FIRST", ""));
    metrics.bindTo(registry);
    configure(file("SECOND", ""));
    assertThat(appenders(registry)).containsExactlyInAnyOrder("FIRST", "SECOND");
  }

  @Test
  void metersGoWithTheContext() throws Exception {
    configure(file("FILE", RECORDER));
    metrics.bindTo(registry);
    tiered("FILE").stop();
    root.info("refused");
    clock.advance();
    assertThat(events("FILE", "dropped")).isEqualTo(1);
    context.stop();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void metersComeBackWithAContextThatIsStartedAgain() throws Exception {
    configure(file("FIRST", ""));
    metrics.bindTo(registry);
    context.stop();
    context.start();
    configure(file("SECOND", ""));
    assertThat(appenders(registry)).containsExactly("SECOND");
    context.stop();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void closeRemovesTheMetersForGood() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
    configure(file("OTHER", ""));
    assertThat(registry.getMeters()).isEmpty();
    metrics.close();
  }

  @Test
  void aReadingAfterTheEndAddsNoMeter() throws Exception {
    configure(file("FILE", ""));
    metrics.bindTo(registry);
    Meter kept = registry.get("forebay.offered").meter();
    metrics.close();
    tiered("FILE").stop();
    root.info("refused");
    clock.advance();
    assertThat(value(kept)).isEqualTo(1);
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void twoRegistriesCountAlike() throws Exception {
    MeterRegistry second = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    configure(file("FILE", RECORDER));
    metrics.bindTo(registry);
    metrics.bindTo(second);
    root.info("one");
    flush();
    clock.advance();
    assertThat(second.get("forebay.offered").functionCounter().count()).isEqualTo(1);
    assertThat(value("forebay.offered")).isEqualTo(1);
    assertThat(second.getMeters()).hasSameSizeAs(registry.getMeters());
    context.stop();
    assertThat(second.getMeters()).isEmpty();
  }

  @Test
  void ofTwoAppendersWithOneNameEachHasItsMeters() throws Exception {
    configure(file("FILE", ""), file("OTHER", ""));
    tiered("OTHER").setName("FILE");
    metrics.bindTo(registry);
    root.info("one");
    flush();
    clock.advance();
    assertThat(appenders(registry)).containsExactlyInAnyOrder("FILE", "FILE-2");
    requireLaw("FILE");
    requireLaw("FILE-2");
    assertThat(value("forebay.offered", "appender", "FILE-2")).isEqualTo(1);
  }

  @Test
  void aSpoolInTheHeapIsDegradedAndCounted() throws Exception {
    configure(file("FILE", "<spoolDirectory>/proc/none</spoolDirectory>"));
    metrics.bindTo(registry);
    assertThat(value("forebay.degraded")).isEqualTo(1);
    assertThat(value("forebay.spool.limit")).isPositive();
    root.info("one");
    flush();
    clock.advance();
    requireLaw("FILE");
    assertThat(events("FILE", "delivered")).isEqualTo(1);
  }

  @Test
  void anAppenderThatMayNotBeSteeredHasTheSameMeters() throws Exception {
    configure(file("STEERED", ""), file("SEEN", "<control>false</control>"));
    metrics.bindTo(registry);
    assertThat(names("SEEN")).isEqualTo(names("STEERED"));
    assertThat(value("forebay.degraded", "appender", "SEEN")).isZero();
  }

  @Test
  void everyMeterHasADescriptionAndTheTagsOfTheApplication() throws Exception {
    configure(file("FILE", RECORDER));
    metrics.bindTo(registry);
    assertThat(registry.getMeters())
        .isNotEmpty()
        .allSatisfy(
            meter -> {
              assertThat(meter.getId().getDescription()).isNotBlank();
              assertThat(meter.getId().getTag("app")).isEqualTo("a");
              assertThat(meter.getId().getTag("appender")).isEqualTo("FILE");
            });
  }

  private void configure(String... appenders) throws JoranException {
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

  private String file(String name, String more) {
    return """
    <appender name='%s' class='dev.forebay.tiered.TieredAppender'>
      <file>%s</file><spoolDirectory>%s</spoolDirectory>%s
      <encoder><pattern>%%msg%%n</pattern></encoder>
    </appender>
    """
        .formatted(name, dir.resolve(name + ".log"), dir, more);
  }

  private static String ring(String name, String to) {
    return "<appender name='%s' class='dev.forebay.NonBlockingAppender'><appender-ref ref='%s'/></appender>"
        .formatted(name, to);
  }

  private TieredAppender tiered(String name) {
    return (TieredAppender) AppenderBeans.find(context).get(name);
  }

  /** From the outer ones to the inner ones. */
  private void flush() {
    AppenderBeans.find(context).values().stream()
        .sorted(
            (a, b) ->
                Boolean.compare(b instanceof NonBlockingAppender, a instanceof NonBlockingAppender))
        .forEach(each -> AppenderBeans.of(each).flush(LONG.toMillis()));
  }

  private void requireLaw(String appender) {
    double offered = value("forebay.offered", "appender", appender);
    double outcomes =
        registry.get("forebay.events").tag("appender", appender).functionCounters().stream()
            .mapToDouble(each -> each.count())
            .sum();
    double held = value("forebay.held", "appender", appender);
    assertThat(outcomes + held + value("forebay.inflight", "appender", appender))
        .isEqualTo(offered);
  }

  private double events(String appender, String outcome) {
    return value("forebay.events", "appender", appender, "outcome", outcome);
  }

  private double value(String name, String... tags) {
    return value(registry.get(name).tags(tags).meter());
  }

  private static double value(Meter meter) {
    return StreamSupport.stream(meter.measure().spliterator(), false)
        .mapToDouble(each -> each.getValue())
        .sum();
  }

  private static Set<String> appenders(MeterRegistry registry) {
    return registry.getMeters().stream()
        .map(each -> String.valueOf(each.getId().getTag("appender")))
        .collect(Collectors.toSet());
  }

  private Set<String> names(String appender) {
    return registry.getMeters().stream()
        .filter(
            each ->
                Tags.of(each.getId().getTags()).stream()
                    .anyMatch(t -> t.getValue().equals(appender)))
        .map(each -> each.getId().getName())
        .collect(Collectors.toSet());
  }

  /** Stands still until told. */
  private static final class HandClock implements Clock {

    private final AtomicLong nowNs = new AtomicLong(1);

    void advance() {
      nowNs.addAndGet(1_000_000_000);
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
