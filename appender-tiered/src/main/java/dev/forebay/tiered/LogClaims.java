package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.status.Status;
import dev.forebay.ConfigFindings;
import dev.forebay.PipelineProperties;
import dev.forebay.Statuses;
import dev.forebay.agent.Voice;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which running appenders share a log file or archive pattern. Logback checks this when it analyses
 * configuration files, but only for its own classes, and loses the lines of the second appender.
 * Ours both start: with one file the first ships for both; with one pattern only the first one
 * rolls, so that no archive is overwritten. With one of Logback's own, which knows no turns, ours
 * does not start.
 *
 * <p>One of an earlier configuration may run on: Logback stops the appenders of a logger, but not
 * those behind an appender that leaves them alone, as OpenTelemetry's for the MDC does. It would
 * hold the log, and the lines of its successor would wait in the spool. So a successor stops it.
 *
 * <p>Used by threads that start and stop appenders; the class's lock is held only briefly.
 */
final class LogClaims {

  /** Name of an object that a context forgets when it is reset; listeners do not report a reset. */
  private static final String CONFIGURATION = LogClaims.class.getName();

  /** The running appenders that roll their logs; guarded by the class. */
  private static final Set<LogClaims> ROLLING = new LinkedHashSet<>();

  private final LogbackParts parts;
  private final Voice voice;

  // Of the newest start; guarded by the class: the context's object of that name, and paths.
  private @Nullable Object configuration;
  private String log = "";
  private String archives = "";

  LogClaims(LogbackParts parts, Voice voice) {
    this.parts = parts;
    this.voice = voice;
  }

  /**
   * Claims the archives of a start, unless it finds an error.
   *
   * @return whether this appender rolls the log
   */
  boolean claim(ConfigFindings findings) {
    stopPredecessors();
    join();
    String theirs = sharedWithLogback();
    if (theirs != null) {
      findings.error(theirs + ": change one of the two");
      return true;
    }
    Appender<?> other = take();
    if (other != null) {
      String shared = text("<fileNamePattern> " + parts.pattern(), other);
      voice.error(shared + ": " + parts.file() + " is not rolled and keeps growing", null);
    }
    return other == null;
  }

  /** Stops this log's appender of an earlier configuration, which delivers what it has. */
  private void stopPredecessors() {
    List<Appender<?>> ended = new ArrayList<>();
    synchronized (LogClaims.class) {
      for (LogClaims other : ROLLING) {
        if (other.isOfEarlierConfiguration() && other.parts.identity().equals(parts.identity())) {
          ended.add(other.parts.appender);
        }
      }
    }
    for (Appender<?> each : ended) {
      each.stop();
    }
  }

  /** All that start before a context is reset are of the same configuration. */
  private void join() {
    Context context = parts.appender.getContext();
    synchronized (LogClaims.class) {
      configuration = context == null ? null : context.getObject(CONFIGURATION);
      if (context != null && configuration == null) {
        configuration = new Object();
        context.putObject(CONFIGURATION, configuration);
      }
    }
  }

  private boolean isOfEarlierConfiguration() {
    Context context = parts.appender.getContext();
    return context != null && context.getObject(CONFIGURATION) != configuration;
  }

  /** Claims the archives, or returns the appender of another log that has. */
  private @Nullable Appender<?> take() {
    synchronized (LogClaims.class) {
      log = path(parts.file());
      archives = path(parts.pattern());
      for (LogClaims other : ROLLING) {
        if (!archives.isEmpty() && archives.equals(other.archives) && !log.equals(other.log)) {
          return other.parts.appender;
        }
      }
      ROLLING.add(this);
      return null;
    }
  }

  void release() {
    synchronized (LogClaims.class) {
      ROLLING.remove(this);
    }
  }

  /** What a running file appender of Logback's in our context shares; null if nothing. */
  private @Nullable String sharedWithLogback() {
    Context context = parts.appender.getContext();
    String name = parts.file();
    String pattern = parts.pattern();
    for (Object seen : context == null ? Set.of() : seen(context)) {
      if (!(seen instanceof FileAppender<?> other)
          || seen instanceof PipelineProperties // ours, also for access events
          || !other.isStarted()
          || other.getContext() != context) {
        continue;
      }
      if (isSame(name, other.rawFileProperty())) {
        return text("<file> " + name, other);
      }
      if (other instanceof RollingFileAppender<?> roller
          && isSame(pattern, LogbackParts.patternOf(roller.getRollingPolicy()))) {
        return text("<fileNamePattern> " + pattern, other);
      }
    }
    return null;
  }

  private static String text(String element, Appender<?> other) {
    return "%s is also used by appender [%s] of %s"
        .formatted(element, other.getName(), other.getClass().getName());
  }

  private static boolean isSame(@Nullable String name, @Nullable String other) {
    return name != null && path(name).equals(path(other));
  }

  /** Compared without resolving links or accessing files; "" for null. */
  private static String path(@Nullable String name) {
    try {
      return name == null ? "" : Path.of(name).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      return name; // another appender's; ours is already validated
    }
  }

  /**
   * The appenders in a context, as far as they can be found, among other objects: those attached to
   * a logger, and those that have added a status, as each of Logback's for files does when it
   * starts. While a configuration is read, appenders are started before they are attached.
   */
  private static Set<Object> seen(Context context) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Status status : context.getStatusManager().getCopyOfStatusList()) {
      if (status.getOrigin() instanceof FileAppender<?> origin) {
        seen.add(origin);
      }
    }
    if (context instanceof LoggerContext classic) {
      for (Logger logger : classic.getLoggerList()) {
        Statuses.addAll(logger.iteratorForAppenders(), seen);
      }
    }
    return seen;
  }
}
