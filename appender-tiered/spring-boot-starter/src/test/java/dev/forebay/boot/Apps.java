package dev.forebay.boot;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.Status;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Applications in this JVM, one after the other, with spools of their own. */
final class Apps implements AutoCloseable {

  private final LoggerContext logback = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Properties before = (Properties) System.getProperties().clone();
  private final List<ConfigurableApplicationContext> running = new ArrayList<>();
  private final Path dir;

  Apps(Path dir) {
    this.dir = dir;
  }

  /** Starts one with properties as on a command line. */
  ConfigurableApplicationContext start(String... properties) {
    return start(Empty.class, properties);
  }

  ConfigurableApplicationContext start(Class<?> source, String... properties) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--forebay.spool-directory=" + dir);
    arguments.add("--logging.threshold.console=off");
    arguments.add("--spring.main.banner-mode=off");
    for (String each : properties) {
      arguments.add("--" + each);
    }
    ConfigurableApplicationContext application =
        new SpringApplicationBuilder(source)
            .web(WebApplicationType.NONE)
            .registerShutdownHook(false)
            .run(arguments.toArray(String[]::new));
    running.add(application);
    return application;
  }

  LoggerContext logback() {
    return logback;
  }

  Logger root() {
    return logback.getLogger(Logger.ROOT_LOGGER_NAME);
  }

  Appender<ILoggingEvent> file() {
    return root().getAppender("FILE");
  }

  /** As the shutdown hook of Boot does. */
  void end() {
    running.forEach(ConfigurableApplicationContext::close);
    running.clear();
    logback.stop();
  }

  /** After the end. */
  List<String> lines(Path log) throws IOException {
    return lines(log, StandardCharsets.UTF_8);
  }

  List<String> lines(Path log, Charset charset) throws IOException {
    end();
    return Files.readAllLines(log, charset);
  }

  /** From a level up, but for the directory of the tests. */
  List<String> statuses(int level) {
    return logback.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= level)
        .map(Status::getMessage)
        .filter(each -> !each.contains("is not on tmpfs"))
        .toList();
  }

  @Override
  public void close() {
    end();
    logback.reset();
    logback.getStatusManager().clear();
    System.setProperties(before);
  }

  @Configuration(proxyBeanMethods = false)
  static class Empty {}
}
