package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.micrometer.ForebayMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.logging.LogFile;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.logback.LogbackLoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.InputStreamSource;
import org.springframework.javapoet.ClassName;

/** The appender in a configuration of Logback, by its include and with elements of its own. */
class IncludeTest extends Apps {

  private static final String OF_BOOT = "org/springframework/boot/logging/logback";
  private static final String DEFAULTS = "<include resource='" + OF_BOOT + "/defaults.xml'/>";
  private static final String INCLUDE = "<include resource='dev/forebay/boot/file-appender.xml'/>";
  private static final String PATTERN = "logging.pattern.file=<%m>%n";

  @Test
  void theIncludeHasBootsPattern() throws Exception {
    startLogging(config(DEFAULTS + INCLUDE), "logging.pattern.dateformat=yyyy");
    root.info("hello");
    assertThat(lines(log)).last().asString().matches("\\d{4} +INFO .* : hello");
  }

  @Test
  void propertiesOfTheConfigurationCountAsBoots() throws Exception {
    start(
        config(
            "<property name='LOG_FILE' value='$LOG'/>"
                + "<property name='FILE_LOG_PATTERN' value='&lt;%m&gt;%n'/>"
                + "<property name='FILE_LOG_THRESHOLD' value='WARN'/>"
                + INCLUDE));
    root.info("filtered");
    root.warn("hello");
    assertThat(lines(log)).containsExactly("<hello>");
  }

  /** Encoders of JSON write the context's properties into each line, also for other appenders. */
  @Test
  void theContextHasThePropertiesThatItHasWithBootsInclude() throws Exception {
    startLogging(config(DEFAULTS + INCLUDE.replace("dev/forebay/boot", OF_BOOT)));
    Map<String, String> expected = logback.getCopyOfPropertyMap();
    forget();
    startLogging(config(DEFAULTS + INCLUDE));
    assertThat(logback.getCopyOfPropertyMap()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INCLUDE | logging.file.path=DIR | write an <encoder> or include",
        "DEFAULTS INCLUDE | logging.file.path=DIR logging.pattern.file= | pattern.file is",
        "DEFAULTS INCLUDE | a=b | set logging.file.name or logging.file.path",
        "DEFAULTS INCLUDE | logging.file.path=DIR forebay.fsink=never | one is forebay.fsync",
        "TRIGGER | logging.pattern.file=%m%n | <triggeringPolicy> of",
      })
  void whatCannotBeUsedStopsTheStart(String xml, String properties, String message)
      throws Exception {
    String trigger =
        appender(
            "<file>$LOG</file><triggeringPolicy"
                + " class='ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy'/>");
    String elements =
        xml.replace("DEFAULTS", DEFAULTS).replace("INCLUDE", INCLUDE).replace("TRIGGER", trigger);
    String all = config(elements) + " " + properties.replace("DIR", dir.toString());
    assertThatThrownBy(() -> start(all.split(" "))).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({"own.log, app.log, 1", "app.log, app.log, 0", "own.log, '', 0"})
  void theFileInTheConfigurationWins(String own, String ofBoot, int warnings) throws Exception {
    Path file = dir.resolve(own);
    String property = ofBoot.isEmpty() ? "a=b" : "logging.file.name=" + dir.resolve(ofBoot);
    start(config(appender("<file>" + file + "</file>")), property, PATTERN);
    assertThat(((FileAppender) file()).getRollingPolicy()).isNotNull();
    assertThat(statuses(Status.WARN))
        .hasSize(warnings)
        .allMatch(each -> each.contains(file + ", not to " + log));
    root.info("hello");
    assertThat(lines(file)).endsWith("<hello>");
    assertThat(Files.exists(log)).isEqualTo(log.equals(file));
  }

  @Test
  void elementsOfTheConfigurationStay() throws Exception {
    String elements =
        """
        <file>$LOG</file><ringBufferSize>64</ringBufferSize>
        <encoder><pattern>own %m%n</pattern></encoder>
        <rollingPolicy class='ch.qos.logback.core.rolling.FixedWindowRollingPolicy'>
          <fileNamePattern>$LOG.%i</fileNamePattern>
        </rollingPolicy>
        <triggeringPolicy class='ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy'/>
        <filter class='ch.qos.logback.classic.filter.ThresholdFilter'><level>WARN</level></filter>
        """;
    start(config(DEFAULTS + appender(elements)), PATTERN, "forebay.ring-buffer-size=128");
    assertThat(Settings.of((FileAppender) file())).first().extracting("ringCapacity").isEqualTo(64);
    assertThat(((FileAppender) file()).getRollingPolicy())
        .isInstanceOf(FixedWindowRollingPolicy.class);
    root.info("filtered");
    root.warn("hello");
    assertThat(lines(log)).containsExactly("own hello");
  }

  @Test
  void theIncludeFollowsThePropertiesAlsoInASecondStartAndAfterAScan() throws Exception {
    String config = config(DEFAULTS + INCLUDE);
    startLogging(config, PATTERN, "forebay.flight-recorder.level=WARN");
    assertThat(statuses(Status.WARN)).isEmpty();
    file().stop();
    file().start();
    root.info("recorded");
    root.warn("one");
    for (int i = 0; i < 2; i++) { // as Logback's scan does after a change
      logback.reset();
      configure(config);
    }
    root.info("recorded");
    root.warn("two");
    assertThat(lines(log)).containsExactly("<one>", "<two>");
  }

  @Test
  void applicationsAndTheirMetersFollowEachOther() throws Exception {
    try (ForebayMetrics metrics = new ForebayMetrics(logback, List.of())) {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      metrics.bindTo(registry);
      assertThatThrownBy(() -> startLogging("forebay.fsync=sometimes")).isNotNull();
      String[] configs = {"a=b", config(DEFAULTS + INCLUDE), "a=b"};
      for (int i = 0; i < configs.length; i++) {
        start(configs[i], "logging.file.name=" + dir.resolve(i + ".log"), PATTERN);
        assertThat(registry.find("forebay.offered").meters()).hasSize(1);
        root.info("hello");
        assertThat(lines(dir.resolve(i + ".log"))).containsOnlyOnce("<hello>");
        assertThat(registry.getMeters()).isEmpty();
      }
    }
  }

  /** As Spring Cloud does when the property changes. */
  @Test
  void anotherConfigurationAtRunTimeTakesOverWithoutLosingALine() throws Exception {
    ConfigurableApplicationContext app = startLogging("a=b", PATTERN);
    root.info("by default");
    LoggingSystem logging = app.getBean(LoggingSystem.class);
    ConfigurableEnvironment environment = app.getEnvironment();
    String config = config(DEFAULTS + INCLUDE).substring("logging.config=".length());
    logging.cleanUp();
    logging.initialize(
        new LoggingInitializationContext(environment), config, LogFile.get(environment));
    root.info("by XML");
    assertThat(root.getAppender("CONSOLE")).isNull();
    assertThat(lines(log)).containsOnlyOnce("<by default>", "<by XML>");
  }

  @Test
  void nothingOfAnApplicationIsSeenByTheNextInThisJvm() throws Exception {
    startLogging();
    end();
    log = dir.resolve("next.log");
    String elements =
        "<file>$LOG</file><encoder><pattern>%property{LOG_FILE} %m%n</pattern></encoder>";
    startLogging(config(appender(elements)));
    root.info("hello");
    assertThat(lines(log)).endsWith(log + " hello");
  }

  @Test
  void theEndOfAnApplicationForgetsItsEnvironment() throws Exception {
    startLogging(config(DEFAULTS + INCLUDE));
    assertThat(logback.getObject(Environment.class.getName())).isNotNull();
    logback.reset();
    assertThat(logback.getObject(Environment.class.getName())).isNotNull();
    logback.stop();
    assertThat(logback.getObject(Environment.class.getName())).isNull();
    assertThat(logback.getCopyOfListenerList()).isEmpty();
  }

  /** Boot's own processing ahead of time writes a model of the XML, which a start then reads. */
  @Test
  void theShutdownHandlerDeliversAlsoAfterProcessingAheadOfTime() throws Exception {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new MapPropertySource(
                "test",
                Map.of("logging.file.name", "" + log, "forebay.spool-directory", "" + dir)));
    LoggingSystem logging = LoggingSystem.get(IncludeTest.class.getClassLoader());
    Path classes =
        Path.of(IncludeTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> generated = new ArrayList<>();
    try {
      System.setProperty("spring.aot.processing", "true");
      initialize(logging, environment, config(DEFAULTS + INCLUDE));
      InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
      ((LogbackLoggingSystem) logging)
          .processAheadOfTime(new DefaultListableBeanFactory())
          .applyTo(
              new DefaultGenerationContext(
                  new ClassNameGenerator(ClassName.get(IncludeTest.class)), files),
              null);
      for (Map.Entry<String, InputStreamSource> file :
          files.getGeneratedFiles(Kind.RESOURCE).entrySet()) {
        Path to = classes.resolve(file.getKey());
        Files.createDirectories(to.getParent());
        Files.write(to, file.getValue().getInputStream().readAllBytes());
        generated.add(to);
      }
      forget();
      System.setProperty("spring.aot.enabled", "true");
      initialize(logging, environment, "logging.config=none");
      root.info("hello");
      logging.getShutdownHandler().run();
    } finally {
      for (Path each : generated) {
        Files.delete(each);
      }
    }
    assertThat(Files.readString(log)).containsOnlyOnce(" : hello");
  }

  private static void initialize(
      LoggingSystem logging, ConfigurableEnvironment environment, String config) {
    logging.cleanUp();
    logging.beforeInitialize();
    logging.initialize(
        new LoggingInitializationContext(environment),
        config.substring("logging.config=".length()),
        LogFile.get(environment));
  }

  @Test
  void settingUpLoggingAnewDoesNotWaitForTheLinesOfBefore() throws Exception {
    ConfigurableApplicationContext app = startLogging(PATTERN);
    LoggingSystem logging = app.getBean(LoggingSystem.class);
    ConfigurableEnvironment environment = app.getEnvironment();
    root.info("before");
    Appender<ILoggingEvent> earlier = file();
    CompletableFuture<Void> anew;
    synchronized (earlier) { // who stops it and waits for its end is held up
      anew =
          CompletableFuture.runAsync(
              () -> {
                logging.cleanUp();
                logging.initialize(
                    new LoggingInitializationContext(environment), null, LogFile.get(environment));
              });
      Await.until("another takes events", () -> file() != null && file() != earlier);
      root.info("after");
    }
    anew.join();
    assertThat(lines(log)).containsSubsequence("<before>", "<after>");
    assertThat(statuses(Status.WARN)).isEmpty();
  }

  /** As with a bootstrap context: the first has opened the log, else the second could be first. */
  @Test
  void loggingThatIsSetUpTwiceAtOnceKeepsTheOrderOfLines() throws Exception {
    ConfigurableApplicationContext app = startLogging(PATTERN);
    LoggingSystem logging = app.getBean(LoggingSystem.class);
    LoggingInitializationContext start = new LoggingInitializationContext(app.getEnvironment());
    end();
    for (int i = 0; i < 20; i++) {
      Files.delete(log);
      for (String line : List.of("before", "after")) {
        logging.cleanUp();
        logging.initialize(start, null, LogFile.get(app.getEnvironment()));
        root.info(line);
        Await.until("the log is open", () -> Files.exists(log)); // a start waits only so long
      }
      assertThat(lines(log)).containsSubsequence("<before>", "<after>");
    }
    assertThat(statuses(Status.WARN)).isEmpty();
  }

  @Test
  void beforeBootConfiguresLogbackItWaits() throws Exception {
    configure(config(INCLUDE));
    assertThat(file().isStarted()).isFalse();
    assertThat(statuses(Status.WARN)).isEmpty();
    assertThat(statuses(Status.INFO)).anyMatch(each -> each.contains("waits for Spring Boot"));
  }

  private void configure(String property) throws Exception {
    JoranConfigurator joran = new JoranConfigurator();
    joran.setContext(logback);
    joran.doConfigure(property.substring("logging.config=".length()));
  }

  private static String appender(String elements) {
    String start = "<appender name='FILE' class='dev.forebay.boot.FileAppender'>";
    return start + elements + "</appender>";
  }

  /** The property that names a configuration with these elements; $LOG is the log. */
  private String config(String elements) throws Exception {
    String root = "<root level='INFO'><appender-ref ref='FILE'/></root>";
    String xml = "<configuration>" + elements + root + "</configuration>";
    String text = xml.replace("$LOG", log.toString());
    return "logging.config=" + Files.writeString(dir.resolve("logback.xml"), text);
  }
}
