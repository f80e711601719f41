package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import dev.forebay.NonBlockingAppender;
import dev.forebay.micrometer.ForebayMetrics;
import dev.forebay.tiered.FlightRecorderOptions;
import dev.forebay.tiered.TieredAppender;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthComponent;
import org.springframework.boot.actuate.health.HealthEndpoint;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Which beans an application gets, and what they show and do. The class path has the health of both
 * lines of Boot, as that of an application with a stray jar.
 */
class ForebayAutoConfigurationTest {

  @TempDir private Path dir;

  private final LoggerContext logback = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Logger root = logback.getLogger(Logger.ROOT_LOGGER_NAME);
  private final ApplicationContextRunner bare =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(ForebayAutoConfiguration.class));
  private final ApplicationContextRunner runner =
      bare.withConfiguration(
              AutoConfigurations.of(
                  EndpointAutoConfiguration.class,
                  HealthContributorAutoConfiguration.class,
                  HealthEndpointAutoConfiguration.class,
                  MetricsAutoConfiguration.class))
          .withBean(SimpleMeterRegistry.class)
          .withPropertyValues("management.endpoints.web.exposure.include=*");

  @BeforeEach
  @AfterEach
  void reset() {
    logback.stop();
    logback.reset();
  }

  @Test
  void withActuatorThereAreMetersHealthAndEndpoint() throws Exception {
    add(dir.resolve("app.log"));
    runner.run(
        context -> {
          assertThat(context)
              .hasNotFailed()
              .hasSingleBean(ForebayMetrics.class)
              .hasSingleBean(ForebayEndpoint.class)
              .hasBean("forebayHealthIndicator")
              .doesNotHaveBean(Health4.class);
          assertThat(context.getBean(MeterRegistry.class).find("forebay.offered").meters())
              .hasSize(1);
        });
  }

  @Test
  void theMetersEndWithTheApplication() throws Exception {
    add(dir.resolve("app.log"));
    runner.run(
        context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          context.getSourceApplicationContext().close();
          assertThat(registry.find("forebay.offered").meters()).isEmpty();
        });
  }

  @Test
  void withoutMicrometerThereAreNoMeters() {
    bare.withClassLoader(new FilteredClassLoader("io.micrometer"))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("forebayMetrics"));
  }

  @Test
  void withoutLogbackThereIsNothing() {
    runner
        .withClassLoader(new FilteredClassLoader("ch.qos.logback"))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean("forebayMetrics")
                    .doesNotHaveBean("forebayEndpoint")
                    .doesNotHaveBean("forebayHealthIndicator"));
  }

  @Test
  void bootsPropertiesSwitchTheEndpointOff() {
    runner
        .withPropertyValues("management.endpoint.forebay.access=NONE")
        .run(context -> assertThat(context).doesNotHaveBean(ForebayEndpoint.class));
    runner
        .withPropertyValues("management.endpoints.web.exposure.include=health")
        .run(context -> assertThat(context).doesNotHaveBean(ForebayEndpoint.class));
  }

  @Test
  void bootsPropertiesSwitchTheHealthOff() {
    for (String off : new String[] {"forebay", "defaults"}) {
      runner
          .withPropertyValues("management.health." + off + ".enabled=false")
          .run(
              context -> {
                assertThat(context)
                    .as(off)
                    .hasNotFailed()
                    .doesNotHaveBean("forebayHealthIndicator");
                assertThat(context.getBean(HealthEndpoint.class).health().getStatus())
                    .isEqualTo(Status.UP);
                assertThat(context.getBean(HealthEndpoint.class).healthForPath("log")).isNull();
              });
    }
  }

  @Test
  void itIsOnAgainstTheDefaultIfItsOwnPropertySaysSo() {
    runner
        .withPropertyValues(
            "management.health.defaults.enabled=false", "management.health.forebay.enabled=true")
        .run(context -> assertThat(context).hasBean("forebayHealthIndicator"));
  }

  @Test
  void aLogThatIsWrittenIsUp() throws Exception {
    add(dir.resolve("app.log"));
    runner.run(
        context -> {
          HealthComponent log = health(context.getBean(HealthEndpoint.class), "forebay");
          assertThat(log.getStatus()).isEqualTo(Status.UP);
          assertThat(details(log))
              .containsOnlyKeys("inFlight", "dropped", "spoolBytes", "spoolLimitBytes");
        });
  }

  @Test
  void aLogThatCannotBeWrittenIsDegradedAndNeverDown() throws Exception {
    Files.writeString(dir.resolve("regular"), "");
    add(dir.resolve("regular/app.log"));
    root.info("waits");
    runner.run(
        context -> {
          HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
          HealthComponent log = health(endpoint, "forebay");
          assertThat(log.getStatus().getCode()).isEqualTo("DEGRADED");
          assertThat(details(log))
              .hasEntrySatisfying("inFlight", n -> assertThat((Long) n).isPositive());
          assertThat((String) details(log).get("degraded")).contains("regular/app.log");
          assertThat(health(endpoint, "log").getStatus()).isEqualTo(log.getStatus());
          assertThat(endpoint.health().getStatus()).isEqualTo(Status.UP);
        });
  }

  @Test
  void anApplicationWithoutOurAppendersIsUp() {
    runner.run(
        context ->
            assertThat(health(context.getBean(HealthEndpoint.class), "forebay").getStatus())
                .isEqualTo(Status.UP));
  }

  @Test
  void theEndpointShowsEveryAppender() throws Exception {
    add(dir.resolve("app.log"));
    root.info("hello");
    runner.run(
        context -> {
          ForebayEndpoint endpoint = context.getBean(ForebayEndpoint.class);
          assertThat(endpoint.appenders()).containsOnlyKeys("FILE");
          assertThat(endpoint.appender("FILE"))
              .containsKeys("account", "degraded", "lastError", "spoolPath", "lastDump", "levels");
          assertThat(endpoint.appender("NONE")).isNull();
        });
  }

  @Test
  void theEndpointFlushesDumpsRotatesAndSetsLevels() throws Exception {
    Path log = dir.resolve("app.log");
    TieredAppender appender = appender(log);
    appender.setFlightRecorder(new FlightRecorderOptions());
    start(appender);
    logback.getLogger("dev.forebay.x");
    root.info("hello");
    runner.run(
        context -> {
          ForebayEndpoint endpoint = context.getBean(ForebayEndpoint.class);
          assertThat(perform(endpoint, "flush"))
              .containsEntry("result", "all events are in the log");
          assertThat(Files.readString(log)).startsWith("hello\n");
          assertThat(perform(endpoint, "dump").get("result")).startsWith("dump asked for");
          assertThat(
                  endpoint
                      .perform("FILE", "level", null, null, "dev.forebay.x", "DEBUG", 600)
                      .getStatus())
              .isEqualTo(WebEndpointResponse.STATUS_OK);
          assertThat(logback.getLogger("dev.forebay.x").isDebugEnabled()).isTrue();
        });
  }

  @Test
  void refusalsSayWhatToWrite() throws Exception {
    logback.getLogger("dev.forebay");
    start(appender(dir.resolve("app.log")));
    runner.run(
        context -> {
          ForebayEndpoint endpoint = context.getBean(ForebayEndpoint.class);
          assertThat(error(endpoint.perform("NONE", "flush", null, null, null, null, null)))
              .isEqualTo("no appender \"NONE\": there are [FILE]");
          for (long timeout : new long[] {-1, 60_001, Long.MAX_VALUE}) {
            assertThat(error(endpoint.perform("FILE", "flush", timeout, null, null, null, null)))
                .isEqualTo("timeoutMillis is %d: must be between 0 and 60000".formatted(timeout));
          }
          assertThat(perform(endpoint, "explode").get("error"))
              .isEqualTo("\"explode\": must be flush, dump, rotate or level");
          assertThat(perform(endpoint, "level").get("error"))
              .isEqualTo("level needs logger, level and seconds");
          assertThat(error(endpoint.perform("FILE", "level", null, null, "dev.forebay", "LOUD", 5)))
              .contains("LOUD");
          assertThat(
                  error(endpoint.perform("FILE", "level", null, null, "dev.forebay", "INFO", -5)))
              .contains("-5");
          assertThat(perform(endpoint, "dump").get("error")).contains("add <flightRecorder>");
          assertThat(perform(endpoint, "rotate").get("error")).startsWith("not rolled");
        });
  }

  @Test
  void anAppenderThatMayNotBeSteeredIsShownAndFlushed() throws Exception {
    TieredAppender appender = appender(dir.resolve("app.log"));
    appender.setControl(false);
    start(appender);
    runner.run(
        context -> {
          ForebayEndpoint endpoint = context.getBean(ForebayEndpoint.class);
          assertThat(endpoint.appender("FILE"))
              .containsKey("spoolPath")
              .doesNotContainKey("levels");
          assertThat(perform(endpoint, "flush")).containsKey("result");
          assertThat(perform(endpoint, "rotate").get("error")).contains("<control>false</control>");
        });
  }

  @Test
  void aRingAloneIsShownAndFlushed() throws Exception {
    NonBlockingAppender ring = new NonBlockingAppender();
    ring.setContext(logback);
    ring.setName("RING");
    ring.addAppender(appender(dir.resolve("app.log")));
    ring.start();
    root.addAppender(ring);
    runner.run(
        context -> {
          ForebayEndpoint endpoint = context.getBean(ForebayEndpoint.class);
          assertThat(endpoint.appender("RING")).doesNotContainKey("spoolPath");
          assertThat(endpoint.appenders()).containsOnlyKeys("RING", "FILE");
          assertThat(error(endpoint.perform("RING", "dump", null, null, null, null, null)))
              .startsWith("only flush");
        });
  }

  private TieredAppender appender(Path log) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(logback);
    encoder.setPattern("%msg%n");
    TieredAppender appender = new TieredAppender();
    appender.setContext(logback);
    appender.setName("FILE");
    appender.setFile(log.toString());
    appender.setSpoolDirectory(dir.toString());
    appender.setEncoder(encoder);
    return appender;
  }

  private void start(TieredAppender appender) {
    appender.start();
    root.addAppender(appender);
    logback.start();
  }

  private void add(Path log) {
    start(appender(log));
  }

  private static HealthComponent health(HealthEndpoint endpoint, String path) {
    HealthComponent found = endpoint.healthForPath(path);
    assertThat(found).as(path).isNotNull();
    return found;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> details(HealthComponent log) {
    return (Map<String, Object>) ((Health) log).getDetails().get("FILE");
  }

  private static Map<String, String> perform(ForebayEndpoint endpoint, String verb) {
    return endpoint.perform("FILE", verb, null, null, null, null, null).getBody();
  }

  private static String error(WebEndpointResponse<Map<String, String>> answer) {
    assertThat(answer.getStatus()).isEqualTo(WebEndpointResponse.STATUS_BAD_REQUEST);
    return answer.getBody().get("error");
  }
}
