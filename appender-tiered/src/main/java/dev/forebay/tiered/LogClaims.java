package dev.forebay.tiered;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.rolling.RollingPolicy;
import dev.forebay.ConfigFindings;
import dev.forebay.LogCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The claims of running appenders on log files and on patterns of archives. Two appenders that
 * share either would write every line twice or overwrite each other's archives, so within one
 * Logback context the second is not started. Logback sees to that in its analysis of configuration
 * files, for its own classes only.
 *
 * <p>The claims are in the context, which forgets them when it is reset: an appender that somebody
 * left running is not in the way of its successor, who spools until it has gone. The same holds for
 * appenders of other contexts.
 *
 * <p>Used by threads that start and stop appenders; a lock of the class is held for moments.
 */
final class LogClaims {

  /** Where the claims are in the context, by file or pattern. */
  private static final String IN_CONTEXT = "dev.forebay.claims";

  /** All appenders that run, of all contexts; guarded by the class. */
  private static final List<LogClaims> RUNNING = new ArrayList<>();

  private final TieredAppender owner;

  // Guarded by the class.
  private LogNames names = LogNames.NONE;

  LogClaims(TieredAppender owner) {
    this.owner = owner;
  }

  /**
   * What an appender has in common with another one.
   *
   * @param sameLog whether they write to the same file, not only to the same archives
   * @param element which element says so, with its value
   * @param other the other appender
   */
  record Shared(boolean sameLog, String element, Appender<?> other) {

    String text() {
      return "%s is also that of appender [%s] of %s"
          .formatted(element, other.getName(), other.getClass().getName());
    }
  }

  /**
   * Claims the log of a start. Refuses one, or archives, that another appender of the context has,
   * as Logback does. Not for the values of a sifting appender, whose lines would be lost: where
   * they share a file they spool and take turns, and where they share archives only the first one
   * makes some.
   *
   * @param findings gets what is wrong; with errors in it nothing is claimed
   * @return whether the log is to be rolled
   */
  boolean claim(@Nullable RollingPolicy rolling, ConfigFindings findings) {
    String file = owner.rawFileProperty();
    Shared shared = take(file, rolling);
    String elsewhere = elsewhere();
    if (elsewhere != null) {
      findings.warn(elsewhere);
    }
    if (shared == null) {
      return true;
    }
    if (!LogCall.isOnThisThread()) {
      findings.error(shared.text() + ": give one of the two another");
    } else if (shared.sameLog()) {
      findings.warn(shared.text() + ": spooling until that one has stopped");
    } else {
      owner.statuses().error(shared.text() + ": " + file + " is not rolled and grows", null);
      return false;
    }
    return true;
  }

  /**
   * Claims the file and the pattern, both or neither.
   *
   * @return what another appender of the context has claimed before; null for nothing
   */
  private @Nullable Shared take(@Nullable String file, @Nullable RollingPolicy rolling) {
    LogNames wanted = LogNames.of(file, rolling);
    Context context = owner.getContext();
    if (context == null) {
      return null;
    }
    Shared foreign = new Neighbours(owner).find(wanted);
    synchronized (LogClaims.class) {
      Map<String, Appender<?>> claims = claimsOf(context);
      for (String key : wanted.keys()) {
        Appender<?> holder = claims.get(key);
        if (holder != null && holder != owner) {
          return wanted.shared(key, holder);
        }
      }
      if (foreign != null) {
        return foreign;
      }
      wanted.keys().forEach(key -> claims.put(key, owner));
      names = wanted;
      RUNNING.add(this);
    }
    return null;
  }

  /** Gives up what was claimed. */
  void release() {
    synchronized (LogClaims.class) {
      RUNNING.remove(this);
      Context context = owner.getContext();
      if (context != null) {
        Map<String, Appender<?>> claims = claimsOf(context);
        names.keys().forEach(key -> claims.remove(key, owner));
      }
      names = LogNames.NONE;
    }
  }

  /** An appender of another context that makes the same archives of another file, or null. */
  private @Nullable String elsewhere() {
    synchronized (LogClaims.class) {
      for (LogClaims other : RUNNING) {
        if (other != this && names.sharesArchivesOnly(other.names)) {
          return "<fileNamePattern> %s is also that of appender [%s] of another Logback context, with <file> %s: each may overwrite archives of the other"
              .formatted(names.pattern(), other.owner.getName(), other.names.file());
        }
      }
      return null;
    }
  }

  @SuppressWarnings("unchecked") // nobody else knows the name
  private static Map<String, Appender<?>> claimsOf(Context context) {
    Map<String, Appender<?>> claims = (Map<String, Appender<?>>) context.getObject(IN_CONTEXT);
    if (claims == null) {
      claims = new HashMap<>();
      context.putObject(IN_CONTEXT, claims);
    }
    return claims;
  }
}
