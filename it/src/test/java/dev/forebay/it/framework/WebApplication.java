package dev.forebay.it.framework;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.status.Status;
import dev.forebay.NonBlockingAppender;
import dev.forebay.it.support.Numbered;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs inside the class loader of a web application, with an SLF4J, a Logback and appenders of
 * its own. It is spoken to in strings, so that nothing of one class loader is held in another.
 */
public final class WebApplication implements Function<String, String> {

  /** Messages of one command "log". */
  static final int MESSAGES = 50;

  /** Called by reflection. */
  public WebApplication() {}

  /**
   * Does what a command says.
   *
   * @param command "start" and a configuration, "log" and a producer, "account", "statuses" or
   *     "stop"
   * @return nothing, or for "account" that of the appender called LOG, for "statuses" the warnings
   *     and errors of Logback
   */
  @Override
  public String apply(String command) {
    String[] words = command.split(" ", 2);
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    try {
      switch (words[0]) {
        case "start" -> start(context, words[1]);
        case "log" -> log(words[1]);
        case "stop" -> context.stop();
        case "account" -> {
          return account(context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("LOG"));
        }
        case "statuses" -> {
          return statuses(context);
        }
        default -> throw new IllegalArgumentException(command);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e.toString()); // its class must not leave the class loader
    }
    return "";
  }

  private static void start(LoggerContext context, String xml) throws Exception {
    context.reset(); // Logback's default configuration, where it found no other
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static void log(String producer) {
    Logger logger = LoggerFactory.getLogger("it");
    for (int number = 0; number < MESSAGES; number++) {
      logger.info(new Numbered(producer, number).text());
    }
  }

  private static String account(Appender<ILoggingEvent> appender) {
    LedgerSnapshot snapshot =
        appender instanceof TieredAppender tiered
            ? tiered.snapshot()
            : ((NonBlockingAppender) appender).snapshot();
    return snapshot.toString();
  }

  private static String statuses(LoggerContext context) {
    StringBuilder problems = new StringBuilder();
    for (Status status : context.getStatusManager().getCopyOfStatusList()) {
      if (status.getEffectiveLevel() >= Status.WARN) {
        problems.append(status).append('\n');
      }
    }
    return problems.toString();
  }
}
