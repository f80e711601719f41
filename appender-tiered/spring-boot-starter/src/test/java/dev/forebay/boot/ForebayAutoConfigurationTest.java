package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
import dev.forebay.micrometer.ForebayMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Which beans an application gets, and what they show and do. The class path has the health of both
 * lines of Boot, as that of an application with a stray jar.
 */
class ForebayAutoConfigurationTest extends Apps {

  private static final String EXPOSED = "management.endpoints.web.exposure.include=*";

  @ImportAutoConfiguration({
    ForebayAutoConfiguration.class,
    EndpointAutoConfiguration.class,
    HealthContributorAutoConfiguration.class,
    HealthEndpointAutoConfiguration.class,
    MetricsAutoConfiguration.class,
    SimpleMetricsExportAutoConfiguration.class
  })
  static class Actuator {}

  @Override
  Class<?> beans() {
    return Actuator.class;
  }

  @Test
  void withActuatorThereAreMetersHealthAndEndpointUntilTheEnd() {
    String onAgainstTheDefault = "management.health.forebay.enabled=true";
    var context =
        startLogging(EXPOSED, "management.health.defaults.enabled=false", onAgainstTheDefault);
    assertThat(context.getBeansOfType(ForebayMetrics.class)).hasSize(1);
    assertThat(context.getBeansOfType(ForebayEndpoint.class)).hasSize(1);
    assertThat(context.getBeansOfType(HealthIndicator.class)).containsKey("forebayHealthIndicator");
    HealthEndpoint health = context.getBean(HealthEndpoint.class);
    assertThat(health.healthForPath("log").getStatus()).isEqualTo(Status.UP);
    assertThat(details(health))
        .containsKeys("inFlight", "longestWaitMillis", "dropped", "spoolBytes", "spoolLimitBytes");
    MeterRegistry registry = context.getBean(MeterRegistry.class);
    assertThat(registry.find("forebay.offered").meters()).hasSize(1);
    context.close();
    assertThat(registry.find("forebay.offered").meters()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.micrometer", "ch.qos.logback"})
  void withoutTheirLibrariesThereAreNoMeters(String library) {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(ForebayAutoConfiguration.class))
        .withPropertyValues(EXPOSED)
        .withClassLoader(new FilteredClassLoader(library))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("forebayMetrics"));
  }

  @ParameterizedTest
  @CsvSource({
    "management.endpoint.forebay.access=NONE, forebayEndpoint",
    "management.endpoints.web.exposure.include=health, forebayEndpoint",
    "management.health.forebay.enabled=false, forebayHealthIndicator",
    "management.health.defaults.enabled=false, forebayHealthIndicator"
  })
  void bootsPropertiesSwitchThemOff(String property, String bean) {
    var context = start(property.contains("exposure") ? "a=b" : EXPOSED, property);
    assertThat(context.containsBean(bean)).isFalse();
    HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
    assertThat(endpoint.health().getStatus()).isEqualTo(Status.UP);
    assertThat(endpoint.healthForPath("log") == null).isEqualTo(bean.contains("Health"));
  }

  @Test
  void aLogThatCannotBeWrittenIsDegradedAndNeverDown() throws Exception {
    log = Files.writeString(dir.resolve("regular"), "").resolve("app.log");
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    HealthEndpoint endpoint = startLogging().getBean(HealthEndpoint.class);
    root.info("waits");
    Await.until(
        "it waits for some time", () -> (Long) details(endpoint).get("longestWaitMillis") > 0);
    assertThat(endpoint.healthForPath("log").getStatus().getCode()).isEqualTo("DEGRADED");
    assertThat((Long) details(endpoint).get("inFlight")).isPositive();
    assertThat(Instant.parse((String) details(endpoint).get("waitingSince")))
        .isBetween(before, Instant.now());
    assertThat((String) details(endpoint).get("degraded")).contains("regular/app.log");
    assertThat(endpoint.health().getStatus()).isEqualTo(Status.UP);
  }

  @Test
  void theEndpointShowsFlushesDumpsRotatesAndSetsLevels() throws Exception {
    var endpoint = endpoint("forebay.flight-recorder.level=INFO");
    root.info("hello");
    assertThat(endpoint.appenders()).containsOnlyKeys("FILE");
    assertThat(endpoint.appender("FILE"))
        .containsKeys("account", "degraded", "lastError", "spoolPath", "lastDump", "levels");
    assertThat(endpoint.appender("NONE")).isNull();
    assertThat(answer(endpoint, "FILE", "flush")).isEqualTo("all events are in the log");
    assertThat(Files.readString(log)).contains("hello");
    assertThat(answer(endpoint, "FILE", "dump")).startsWith("dump asked for");
    assertThat(answer(endpoint, "FILE", "rotate")).startsWith("rolled");
    endpoint.perform("FILE", "level", null, null, "x", "DEBUG", 600);
    assertThat(logback.getLogger("x").isDebugEnabled()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, flush, , , , 'no appender \"NONE\": there are [FILE]'",
    "FILE, flush, -1, , , timeoutMillis is -1: must be between 0 and 60000",
    "FILE, flush, 60001, , , timeoutMillis is 60001: must be between 0 and 60000",
    "FILE, explode, , , , '\"explode\": must be flush, dump, rotate or level'",
    "FILE, level, , , , 'level needs logger, level and seconds'",
    "FILE, level, , LOUD, 5, LOUD",
    "FILE, dump, , , , add <flightRecorder>"
  })
  void refusalsSayWhatToWrite(
      String name, String verb, Long timeout, String level, Integer seconds, String error) {
    var answer = endpoint("a=b").perform(name, verb, timeout, null, "x", level, seconds);
    assertThat(answer.getStatus()).isEqualTo(WebEndpointResponse.STATUS_BAD_REQUEST);
    assertThat(answer.getBody().get("error")).contains(error);
  }

  @Test
  void whatMayNotBeSteeredIsShownAndFlushed() {
    var endpoint = endpoint("forebay.control=false");
    NonBlockingAppender ring = new NonBlockingAppender();
    ring.setContext(logback);
    ring.setName("RING");
    ring.addAppender(file());
    ring.start();
    root.addAppender(ring);
    assertThat(endpoint.appenders()).containsOnlyKeys("RING", "FILE");
    assertThat(endpoint.appender("RING")).doesNotContainKeys("spoolPath", "levels");
    assertThat(endpoint.appender("FILE")).containsKey("spoolPath").doesNotContainKey("levels");
    for (String each : List.of("RING", "FILE")) {
      assertThat(answer(endpoint, each, "flush")).isEqualTo("all events are in the log");
      assertThat(answer(endpoint, each, "rotate")).startsWith("only flush");
    }
  }

  private ForebayEndpoint endpoint(String property) {
    logback.getLogger("x");
    return startLogging(EXPOSED, property).getBean(ForebayEndpoint.class);
  }

  private static String answer(ForebayEndpoint endpoint, String appender, String verb) {
    var answer = endpoint.perform(appender, verb, null, null, null, null, null).getBody();
    return answer.values().iterator().next();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> details(HealthEndpoint endpoint) {
    Health health = (Health) endpoint.healthForPath("forebay");
    return (Map<String, Object>) health.getDetails().get("FILE");
  }
}
