package dev.forebay.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes contexts and events, and reads what contexts say. */
public final class Events {

  private static final LoggerContext CONTEXT = context("events");

  private Events() {}

  public static LoggerContext context(String name) {
    LoggerContext context = new LoggerContext();
    context.setName(name);
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  /** Messages of the statuses at or above WARN. */
  public static List<String> problems(LoggerContext context) {
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .toList();
  }

  public static LoggingEvent event(Level level, String message) {
    return event(level, message, null);
  }

  public static LoggingEvent event(Level level, String message, @Nullable Throwable thrown) {
    return new LoggingEvent(
        Events.class.getName(), CONTEXT.getLogger("test"), level, message, thrown, null);
  }

  public static LoggingEvent info(String message) {
    return event(Level.INFO, message);
  }

  public static String text(int characters) {
    return "x".repeat(characters);
  }
}
