package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.status.Status;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.LogNames.Shared;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which running appenders share a log file or archive pattern. Logback checks this when it analyses
 * configuration files, but only for its own classes, and loses the lines of the second appender.
 * Ours both start: with one file they take turns, as two processes do; with one pattern only the
 * first one rolls, so that no archive is overwritten. With one of Logback's own, which knows no
 * turns, ours does not start.
 *
 * <p>Used by threads that start and stop appenders; the class's lock is held only briefly.
 */
final class LogClaims {

  private static final String CHANGE_ONE = ": change one of the two";

  /** The running appenders that roll their logs; guarded by the class. */
  private static final Set<LogClaims> ROLLING = new LinkedHashSet<>();

  private final TieredAppender owner;

  /** Guarded by the class. */
  private LogNames names = LogNames.NONE;

  /** Shipper's thread, and before it the start. */
  private boolean hasLookedAgain;

  LogClaims(TieredAppender owner) {
    this.owner = owner;
  }

  /**
   * Claims the log of a start.
   *
   * @param findings receives the problems; if it has errors, nothing is claimed
   * @return whether this appender rolls the log
   */
  boolean claim(@Nullable RollingPolicy rolling, ConfigFindings findings) {
    hasLookedAgain = false;
    String file = owner.rawFileProperty();
    LogNames wanted = LogNames.of(file, rolling);
    Shared theirs = sharedWithLogback(wanted);
    if (theirs != null) {
      findings.error(theirs.text() + CHANGE_ONE);
      return true;
    }
    Shared shared = take(wanted);
    if (shared != null && !shared.sameLog()) {
      String text = shared.text() + ": " + file + " is not rolled and keeps growing";
      owner.statuses().error(text, null);
      return false;
    }
    if (shared != null && shared.other().getContext() == owner.getContext()) {
      findings.warn(shared.text() + ": spooling until it stops");
    }
    return true;
  }

  /** What another appender has claimed: archives first, since only these are not claimed too. */
  private @Nullable Shared take(LogNames wanted) {
    synchronized (LogClaims.class) {
      Shared sameLog = null;
      ROLLING.remove(this); // a start may have failed after it
      for (LogClaims other : ROLLING) {
        Shared shared = wanted.sharedWith(other.names, other.owner);
        if (shared != null && !shared.sameLog()) {
          return shared;
        }
        sameLog = shared == null ? sameLog : shared;
      }
      names = wanted;
      ROLLING.add(this);
      return sameLog;
    }
  }

  /** Releases the claims. */
  void release() {
    synchronized (LogClaims.class) {
      ROLLING.remove(this);
    }
  }

  /** Others have changed the log: says once if an appender of Logback's writes to it by now. */
  void lookAgain() {
    if (!hasLookedAgain) {
      hasLookedAgain = true;
      Shared theirs =
          sharedWithLogback(LogNames.of(owner.rawFileProperty(), owner.rollingPolicy()));
      if (theirs != null) {
        owner.statuses().error(theirs.text() + CHANGE_ONE, null);
      }
    }
  }

  /** What a running file appender of Logback's in our context shares; null if nothing. */
  private @Nullable Shared sharedWithLogback(LogNames wanted) {
    Context context = owner.getContext();
    for (FileAppender<?> other : context == null ? Set.<FileAppender<?>>of() : seen(context)) {
      RollingPolicy theirs =
          other instanceof RollingFileAppender<?> rolling ? rolling.getRollingPolicy() : null;
      Shared shared = wanted.sharedWith(LogNames.of(other.rawFileProperty(), theirs), other);
      if (shared != null && other.isStarted()) {
        return shared;
      }
    }
    return null;
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
