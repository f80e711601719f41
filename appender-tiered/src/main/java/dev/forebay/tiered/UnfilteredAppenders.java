package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.observe.Levels;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the appenders that get events which are meant for a flight recorder only: they are attached
 * to the same loggers and have no filter.
 */
final class UnfilteredAppenders {

  /** Of Logback's integers: TRACE is 5 000, DEBUG 10 000. */
  private static final int LEVEL_WIDTH = 10_000;

  private final Appender<ILoggingEvent> recorder;
  private final Map<String, Logger> loggers = new HashMap<>();

  UnfilteredAppenders(LoggerContext context, Appender<ILoggingEvent> recorder) {
    this.recorder = recorder;
    context.getLoggerList().forEach(logger -> loggers.put(logger.getName(), logger));
  }

  /**
   * Their names.
   *
   * @param logFrom events below this level are for the recorder only, as {@link Levels} counts
   */
  Set<String> names(int logFrom) {
    Set<String> names = new LinkedHashSet<>();
    for (Logger logger : loggers.values()) {
      if (logger.getEffectiveLevel().toInt() < logFrom * LEVEL_WIDTH) {
        Set<Appender<ILoggingEvent>> reached = reachedFrom(logger);
        if (reached.contains(recorder)) {
          reached.stream()
              .filter(one -> one != recorder && one.getCopyOfAttachedFiltersList().isEmpty())
              .forEach(one -> names.add(String.valueOf(one.getName())));
        }
      }
    }
    return names;
  }

  private Set<Appender<ILoggingEvent>> reachedFrom(Logger first) {
    Set<Appender<ILoggingEvent>> reached = new LinkedHashSet<>();
    for (Logger logger = first; logger != null; logger = parent(logger)) {
      Iterator<Appender<ILoggingEvent>> own = logger.iteratorForAppenders();
      own.forEachRemaining(reached::add);
    }
    return reached;
  }

  /** Null for the root, and where events do not go further up. */
  private @Nullable Logger parent(Logger logger) {
    String name = logger.getName();
    if (!logger.isAdditive() || name.equals(org.slf4j.Logger.ROOT_LOGGER_NAME)) {
      return null;
    }
    for (int dot = end(name); dot > 0; dot = end(name)) {
      name = name.substring(0, dot);
      Logger parent = loggers.get(name);
      if (parent != null) {
        return parent;
      }
    }
    return loggers.get(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  /** Logback also separates names of nested classes. */
  private static int end(String name) {
    return Math.max(name.lastIndexOf('.'), name.lastIndexOf('$'));
  }
}
