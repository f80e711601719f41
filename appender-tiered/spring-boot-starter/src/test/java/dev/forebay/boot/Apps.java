package dev.forebay.boot;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications in this JVM, one after the other, with spools of their own. */
abstract class Apps {

  final LoggerContext logback = (LoggerContext) LoggerFactory.getILoggerFactory();
  final Logger root = logback.getLogger(Logger.ROOT_LOGGER_NAME);

  @TempDir Path dir;
  Path log;

  private final Properties before = (Properties) System.getProperties().clone();
  private final List<ConfigurableApplicationContext> running = new ArrayList<>();

  @BeforeEach
  final void begin() {
    log = dir.resolve("app.log");
  }

  /** Starts one that logs to {@link #log}, with properties as on a command line. */
  final ConfigurableApplicationContext startLogging(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("logging.file.name=" + log);
    return start(all.toArray(String[]::new));
  }

  final ConfigurableApplicationContext start(String... properties) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--forebay.spool-directory=" + dir);
    arguments.add("--spring.main.banner-mode=off");
    List.of(properties).forEach(each -> arguments.add("--" + each));
    if (arguments.stream().noneMatch(each -> each.contains("threshold.console"))) {
      arguments.add("--logging.threshold.console=off");
    }
    ConfigurableApplicationContext application =
        new SpringApplicationBuilder(beans())
            .web(WebApplicationType.NONE)
            .registerShutdownHook(false)
            .run(arguments.toArray(String[]::new));
    running.add(application);
    return application;
  }

  final Appender<ILoggingEvent> file() {
    return root.getAppender("FILE");
  }

  final void end() {
    running.forEach(ConfigurableApplicationContext::close);
    running.clear();
    logback.stop();
  }

  /** After the end. */
  final List<String> lines(Path of) throws IOException {
    end();
    return Files.readAllLines(of, StandardCharsets.UTF_8);
  }

  /** From a level up, but for the directory of the tests. */
  final List<String> statuses(int level) {
    Await.said();
    return logback.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= level)
        .map(Status::getMessage)
        .filter(each -> !each.contains("is not on tmpfs"))
        .toList();
  }

  /** As if this JVM had run no application yet. */
  @AfterEach
  final void forget() {
    end();
    logback.reset();
    logback.getStatusManager().clear();
    System.setProperties((Properties) before.clone());
  }

  Class<?> beans() {
    return Object.class;
  }
}
