package dev.forebay.boot;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.ConfigurationEvent;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.WarnStatus;
import dev.forebay.tiered.TieredAppender;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LogFile;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.LoggingSystemFactory;
import org.springframework.boot.logging.logback.LogbackLoggingSystem;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Boot's logging with Logback, whose file is a {@link FileAppender} where no configuration of
 * Logback says otherwise. Extends because Boot offers no other way in: it sets up logging before
 * any bean and any auto-configuration.
 */
final class ForebayLoggingSystem extends LogbackLoggingSystem {

  private ForebayLoggingSystem(ClassLoader loader) {
    super(loader);
  }

  /** After AOT processing Boot starts no context, and the shutdown handler stops none. */
  @Override
  public void initialize(
      LoggingInitializationContext start, @Nullable String location, @Nullable LogFile file) {
    super.initialize(start, location, file);
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    if (!context.isStarted()) {
      context.start();
    }
    if (start.getEnvironment() instanceof ConfigurableEnvironment environment
        && ForebayProperties.isEnabled(environment)
        && ForebayProperties.wantsOtlp(environment)
        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(OtlpLog.NAME) == null) {
      attach(OtlpLog.started(context, environment), context);
    }
  }

  @Override
  protected void loadDefaults(LoggingInitializationContext start, @Nullable LogFile file) {
    Environment environment = start.getEnvironment();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    if (file == null || environment == null || !ForebayProperties.isEnabled(environment)) {
      super.loadDefaults(start, file);
      String unused =
          file != null || environment == null || ForebayProperties.wantsOtlp(environment)
              ? null
              : ForebayProperties.firstIn(environment);
      if (unused != null) {
        context
            .getStatusManager()
            .add(
                new WarnStatus(
                    unused + " has no effect: set logging.file.name or logging.file.path", this));
      }
    } else {
      Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
      FileAppender earlier = null;
      if (root.getAppender("FILE") instanceof FileAppender found) { // else Boot waits for its disk
        earlier = found;
        root.detachAppender(found);
        found.stopElsewhere();
      } else {
        StartClasses.load();
      }
      super.loadDefaults(start, null);
      add(file, context, earlier);
    }
  }

  private static void add(LogFile file, LoggerContext context, @Nullable FileAppender earlier) {
    file.applyToSystemProperties();
    FileAppender appender = new FileAppender();
    appender.setName("FILE");
    appender.setContext(context);
    appender.startAfter(earlier);
    attach(appender, context);
  }

  private static void attach(TieredAppender appender, LoggerContext context) {
    if (!appender.isStarted()) {
      throw RefusedStart.of(errors(context, appender));
    }
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    // As at the end of a configuration from XML: listeners, such as meters, look for appenders.
    context.fireConfigurationEvent(
        ConfigurationEvent.newConfigurationEndedSuccessfullyEvent(appender));
  }

  /** Errors of properties; a log that cannot be written is retried and does not stop the start. */
  private static String errors(LoggerContext context, TieredAppender of) {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() == Status.ERROR)
        .filter(status -> status.getOrigin() == of)
        .map(Status::getMessage)
        .collect(Collectors.joining("; "));
  }

  /** Asked before Boot's own, which decides whether Logback is there. */
  @Order(Ordered.HIGHEST_PRECEDENCE + 512)
  static final class Factory implements LoggingSystemFactory {

    @Override
    public @Nullable LoggingSystem getLoggingSystem(ClassLoader loader) {
      LoggingSystem ofBoot = new LogbackLoggingSystem.Factory().getLoggingSystem(loader);
      return ofBoot == null ? null : new ForebayLoggingSystem(loader);
    }
  }
}
