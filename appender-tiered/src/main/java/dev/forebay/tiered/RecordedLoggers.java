package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.observe.Levels;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The loggers whose events reach a flight recorder, and where else they go. */
final class RecordedLoggers {

  /** Of Logback's integers: TRACE is 5 000, DEBUG 10 000. */
  private static final int LEVEL_WIDTH = 10_000;

  private final LoggerContext context;
  private final Set<String> unfiltered = new LinkedHashSet<>();
  private boolean areMoreThanTheLog;

  /**
   * @param logFrom events below this level are for the recorder only, as {@link Levels} counts
   */
  RecordedLoggers(LoggerContext context, Appender<ILoggingEvent> recorder, int logFrom) {
    this.context = context;
    boolean areFound = false; // not if it is attached to another appender
    for (Logger logger : context.getLoggerList()) {
      Set<Appender<ILoggingEvent>> reached = reachedFrom(logger);
      if (reached.contains(recorder)) {
        areFound = true;
        if (logger.getEffectiveLevel().toInt() < logFrom * LEVEL_WIDTH) {
          areMoreThanTheLog = true;
          reached.stream()
              .filter(one -> one != recorder && one.getCopyOfAttachedFiltersList().isEmpty())
              .forEach(one -> unfiltered.add(String.valueOf(one.getName())));
        }
      }
    }
    areMoreThanTheLog |= !areFound || logFrom == 0 || !context.getTurboFilterList().isEmpty();
  }

  /** Whether a logger has events for the recorder only, as far as levels tell. */
  boolean areMoreThanTheLog() {
    return areMoreThanTheLog;
  }

  /** The names of other appenders that get these events, since they have no filter. */
  Set<String> unfilteredAppenders() {
    return unfiltered;
  }

  private Set<Appender<ILoggingEvent>> reachedFrom(Logger first) {
    Set<Appender<ILoggingEvent>> reached = new LinkedHashSet<>();
    for (Logger logger = first; logger != null; logger = parent(logger)) {
      logger.iteratorForAppenders().forEachRemaining(reached::add);
    }
    return reached;
  }

  /** Null for the root, and where events do not go further up. */
  private @Nullable Logger parent(Logger logger) {
    String name = logger.getName();
    if (!logger.isAdditive() || name.equals(org.slf4j.Logger.ROOT_LOGGER_NAME)) {
      return null;
    }
    int end = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')); // Logback's nested classes
    return context.exists(end > 0 ? name.substring(0, end) : org.slf4j.Logger.ROOT_LOGGER_NAME);
  }
}
