package dev.forebay.tiered;

import ch.qos.logback.core.rolling.RollingPolicy;
import dev.forebay.ConfigFindings;
import dev.forebay.tiered.LogNames.Shared;
import java.util.ArrayList;
import java.util.List;
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

  /** The running appenders that roll their logs; guarded by the class. */
  private static final List<LogClaims> ROLLING = new ArrayList<>();

  private final TieredAppender owner;

  /** Guarded by the class. */
  private LogNames names = LogNames.NONE;

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
    String file = owner.rawFileProperty();
    LogNames wanted = LogNames.of(file, rolling);
    Shared theirs = owner.getContext() == null ? null : new Neighbours(owner).find(wanted);
    if (theirs != null) {
      findings.error(theirs.text() + ": change one of the two");
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
}
