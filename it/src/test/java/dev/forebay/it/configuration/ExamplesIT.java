package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.forebay.NonBlockingAppender;
import dev.forebay.it.support.Documents;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What stands in src/examples works as it stands, and its numbers fit each other. */
class ExamplesIT {

  private static final List<String> LOGS =
      List.of("app.log", "app.json", "errors.log", "application.json", "gatling.json");

  /** What Spring Boot puts in the place of its own elements. */
  private static final Map<String, String> OF_SPRING_BOOT =
      Map.of(
          "APP_NAME", "app",
          "FILE_LOG_PATTERN", "%d %-5p %m%n%ex",
          "FILE_LOG_CHARSET", "UTF-8",
          "CONSOLE_LOG_PATTERN", "%m%n",
          "CONSOLE_LOG_CHARSET", "UTF-8");

  private static final String SPRING_ELEMENT = "</?(springProfile|springProperty|include)[^>]*>";

  static List<Path> examples() throws IOException {
    return Documents.files(99, ".xml", "src/examples");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void examplesWorkAsTheyStand(Path example) throws Exception {
    String xml = Files.readString(example);
    MDC.put("user", "u1");
    try (Places places = Places.create();
        Tiered logback = Tiered.configured(withoutSpring(xml), properties(places))) {
      try {
        logback.context().getMDCAdapter().put("traceId", "t1");
        for (int i = 1; i <= 100; i++) {
          logback.logger().error("event {}.", i);
        }
        logback.context().stop();
        assertThat(logback.errors()).as("%s", logback.statuses()).isEmpty();
        assertThat(logback.warnings()).isEmpty();
        requireEvents(
            LogFiles.of(places.log()).paths().stream()
                .filter(path -> !path.toString().contains(".flight.")) // a dump
                .toList());
      } finally {
        for (String name : LOGS) {
          SpoolPeek.forget(Path.of("/dev/shm"), places.logDirectory().resolve(name));
        }
      }
    } finally {
      MDC.clear();
    }
  }

  private static Map<String, String> properties(Places places) {
    Map<String, String> properties = new HashMap<>(OF_SPRING_BOOT);
    properties.put("LOG_DIR", places.logDirectory().toString());
    properties.put("SPOOL_DIR", places.spool().toString());
    return properties;
  }

  /** What Boot's own elements hold stays; that Boot understands them its own tests show. */
  private static String withoutSpring(String xml) {
    return xml.replaceAll(SPRING_ELEMENT, "");
  }

  private static void requireEvents(List<Path> files) throws IOException {
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      assertThat(Files.readAllLines(file))
          .as(file.toString())
          .filteredOn(line -> !line.contains("Forebay: ")) // it names a dump
          .hasSize(100)
          .allMatch(line -> line.contains("event "))
          .last()
          .asString()
          .contains("event 100.");
    }
  }

  @Test
  void theMetricsAreTheAccountsOfAllAppenders() throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger logger = context.getLogger("metrics");
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    NonBlockingAppender ring = new NonBlockingAppender();
    ring.setName("RING");
    ring.setContext(context);
    try (Places places = Places.create();
        Tiered behind = Tiered.with(places.xml(), Xml.MESSAGES);
        URLClassLoader compiled = compile("spring-boot/ForebayMetrics.java", places.root())) {
      ring.addAppender(behind.appender());
      ring.start();
      logger.addAppender(ring);
      MeterRegistry registry = new SimpleMeterRegistry();
      ((MeterBinder) compiled.loadClass("ForebayMetrics").getConstructor().newInstance())
          .bindTo(registry);
      for (int number = 0; number < 5; number++) {
        logger.info(new Numbered("p", number).text());
      }
      ring.flush(Duration.ofSeconds(30));
      behind.flush();
      assertThat(count(registry, "delivered", "RING")).isEqualTo(5);
      assertThat(count(registry, "delivered", "LOG")).isEqualTo(5);
      ring.stop();
      logger.info("too late");

      assertThat(count(registry, "offered", "RING")).isEqualTo(6);
      assertThat(count(registry, "dropped", "RING")).isEqualTo(1);
      assertThat(registry.get("log.events.dropped").tag("reason", "STOPPED").functionCounters())
          .hasSize(2);
      assertThat(registry.get("log.events.in.flight").tag("appender", "LOG").gauge().value())
          .isZero();
      new Oracle().producer("p", 5, 5).complete(0).requireSound(places.lines());
    } finally {
      logger.detachAppender(ring);
    }
  }

  private static double count(MeterRegistry registry, String what, String appender) {
    return registry.get("log.events." + what).tag("appender", appender).functionCounters().stream()
        .mapToDouble(FunctionCounter::count)
        .sum();
  }

  private static URLClassLoader compile(String example, Path directory) throws IOException {
    String classPath = Program.classPath();
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                told,
                told,
                "-proc:none",
                "-d",
                directory.toString(),
                "-cp",
                classPath,
                Documents.root().resolve("src/examples").resolve(example).toString());
    assertThat(failed).as(told.toString(StandardCharsets.UTF_8)).isZero();
    return new URLClassLoader(new URL[] {directory.toUri().toURL()});
  }
}
