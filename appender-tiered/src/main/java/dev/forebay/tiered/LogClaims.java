package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.status.Status;
import dev.forebay.ConfigFindings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which running appenders share a log file or archive pattern. Logback checks this when it analyses
 * configuration files, but only for its own classes, and loses the lines of the second appender.
 * Ours both start: with one file the ship lock has them take turns, as two processes; with one
 * pattern only the first one rolls, so that no archive is overwritten. With one of Logback's own,
 * which knows no turns, ours does not start.
 *
 * <p>Used by threads that start and stop appenders; the class's lock is held only briefly.
 */
final class LogClaims {

  /** The running appenders that roll their logs; guarded by the class. */
  private static final Set<LogClaims> ROLLING = new LinkedHashSet<>();

  private final TieredAppender owner;

  /** Absolute path of its log, "" if it has no name; guarded by the class. */
  private String log = "";

  /** That of its archives, likewise. */
  private String archives = "";

  LogClaims(TieredAppender owner) {
    this.owner = owner;
  }

  /**
   * Claims the archives of a start.
   *
   * @param findings receives the problems; if it has errors, nothing is claimed
   * @return whether this appender rolls the log
   */
  boolean claim(@Nullable RollingPolicy rolling, ConfigFindings findings) {
    String theirs = sharedWithLogback(rolling);
    if (theirs != null) {
      findings.error(theirs + ": change one of the two");
      return true;
    }
    TieredAppender other = take(rolling);
    if (other != null) {
      String shared = text("<fileNamePattern> " + patternOf(rolling), other);
      String file = String.valueOf(owner.rawFileProperty());
      owner.statuses().error(shared + ": " + file + " is not rolled and keeps growing", null);
    }
    return other == null;
  }

  /** Claims the archives, or returns the appender of another log that has. */
  private @Nullable TieredAppender take(@Nullable RollingPolicy rolling) {
    synchronized (LogClaims.class) {
      ROLLING.remove(this); // a start may have failed after it
      log = path(owner.rawFileProperty());
      archives = path(patternOf(rolling));
      for (LogClaims other : ROLLING) {
        if (!archives.isEmpty() && archives.equals(other.archives) && !log.equals(other.log)) {
          return other.owner;
        }
      }
      ROLLING.add(this);
      return null;
    }
  }

  /** Releases the claims. */
  void release() {
    synchronized (LogClaims.class) {
      ROLLING.remove(this);
    }
  }

  /** What a running file appender of Logback's in our context shares; null if nothing. */
  private @Nullable String sharedWithLogback(@Nullable RollingPolicy rolling) {
    Context context = owner.getContext();
    String name = owner.rawFileProperty();
    String pattern = patternOf(rolling);
    for (FileAppender<?> other : context == null ? Set.<FileAppender<?>>of() : seen(context)) {
      RollingPolicy theirs =
          other instanceof RollingFileAppender<?> roller ? roller.getRollingPolicy() : null;
      if (other.isStarted() && isSame(name, other.rawFileProperty())) {
        return text("<file> " + name, other);
      }
      if (other.isStarted() && isSame(pattern, patternOf(theirs))) {
        return text("<fileNamePattern> " + pattern, other);
      }
    }
    return null;
  }

  private static String text(String element, Appender<?> other) {
    return element
        + " is also used by appender ["
        + other.getName()
        + "] of "
        + other.getClass().getName();
  }

  private static @Nullable String patternOf(@Nullable RollingPolicy rolling) {
    return rolling instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
  }

  private static boolean isSame(@Nullable String name, @Nullable String other) {
    return name != null && other != null && path(name).equals(path(other));
  }

  /** Compared without resolving links or accessing files; "" for null. */
  private static String path(@Nullable String name) {
    try {
      return name == null ? "" : Path.of(name).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      return name; // of another appender; ours is already validated
    }
  }

  /**
   * Logback's own file appenders in a context, as far as they can be found: those attached to a
   * logger, and those that have added a status, as each does when it starts. While a configuration
   * is read, appenders are started before they are attached.
   */
  private static Set<FileAppender<?>> seen(Context context) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Status status : context.getStatusManager().getCopyOfStatusList()) {
      seen.add(status.getOrigin());
    }
    if (context instanceof LoggerContext classic) {
      for (Logger logger : classic.getLoggerList()) {
        addAll(logger.iteratorForAppenders(), seen);
      }
    }
    Set<FileAppender<?>> theirs = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Object object : seen) {
      if (object instanceof FileAppender<?> file
          && !(object instanceof TieredAppender)
          && file.getContext() == context) {
        theirs.add(file);
      }
    }
    return theirs;
  }

  private static void addAll(Iterator<? extends Appender<?>> appenders, Set<Object> seen) {
    while (appenders.hasNext()) {
      Appender<?> appender = appenders.next();
      if (seen.add(appender) && appender instanceof AppenderAttachable<?> holder) {
        addAll(holder.iteratorForAppenders(), seen);
      }
    }
  }
}
