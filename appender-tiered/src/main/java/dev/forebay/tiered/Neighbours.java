package dev.forebay.tiered;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.status.Status;
import dev.forebay.tiered.LogNames.Shared;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Logback's own file appenders in our context, as far as they can be found: those attached to a
 * logger, and those that have added a status, as each does when it starts. While a configuration is
 * read, appenders are started before they are attached.
 */
final class Neighbours {

  private final TieredAppender owner;

  Neighbours(TieredAppender owner) {
    this.owner = owner;
  }

  /** What a running one shares with these names; null if nothing. */
  @Nullable Shared find(LogNames names) {
    for (FileAppender<?> other : seen(owner.getContext())) {
      if (other.isStarted()) {
        RollingFileAppender<?> rolling = other instanceof RollingFileAppender<?> r ? r : null;
        LogNames theirs =
            LogNames.of(
                other.rawFileProperty(), rolling == null ? null : rolling.getRollingPolicy());
        Shared shared = names.sharedWith(theirs, other);
        if (shared != null) {
          return shared;
        }
      }
    }
    return null;
  }

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
