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
 * The claims of running appenders on log files and archive patterns. Two appenders that share
 * either would write every line twice or overwrite each other's archives, so within one Logback
 * context the second one is not started. Logback checks this when it analyses configuration files,
 * but only for its own classes.
 *
 * <p>The claims are stored in the context, which forgets them when it is reset: an appender left
 * running does not prevent its successor from starting; the successor spools until it stops. The
 * same holds for appenders of other contexts.
 *
 * <p>Used by threads that start and stop appenders; the class's lock is held only briefly.
 */
final class LogClaims {

  /** The context object that holds the claims, by file or pattern. */
  private static final String IN_CONTEXT = "dev.forebay.claims";

  /** All running appenders of all contexts; guarded by the class. */
  private static final List<LogClaims> RUNNING = new ArrayList<>();

  private final TieredAppender owner;

  // Guarded by the class.
  private LogNames names = LogNames.NONE;

  LogClaims(TieredAppender owner) {
    this.owner = owner;
  }

  /**
   * What an appender shares with another one.
   *
   * @param sameLog whether they write to the same file, not only to the same archives
   * @param element the shared element with its value
   * @param other the other appender
   */
  record Shared(boolean sameLog, String element, Appender<?> other) {

    String text() {
      return "%s is also used by appender [%s] of %s"
          .formatted(element, other.getName(), other.getClass().getName());
    }
  }

  /**
   * Claims the log of a start. Like Logback, refuses a log or archives that another appender of the
   * context has claimed. Exception: appenders created by a sifting appender, whose lines would be
   * lost. If they share a file, they spool and take turns; if they share archives, only the first
   * one rolls.
   *
   * @param findings receives the problems; if it has errors, nothing is claimed
   * @return whether this appender rolls the log
   */
  boolean claim(@Nullable RollingPolicy rolling, ConfigFindings findings) {
    String file = owner.rawFileProperty();
    Shared shared = take(file, rolling);
    String sharedArchives = sharedArchives();
    if (sharedArchives != null) {
      findings.warn(sharedArchives);
    }
    if (shared == null) {
      return true;
    }
    if (!LogCall.isOnThisThread()) {
      findings.error(shared.text() + ": change one of the two");
    } else if (shared.sameLog()) {
      findings.warn(shared.text() + ": spooling until it stops");
    } else {
      owner
          .statuses()
          .error(shared.text() + ": " + file + " is not rolled and keeps growing", null);
      return false;
    }
    return true;
  }

  /**
   * Claims the file and the pattern, both or neither.
   *
   * @return what another appender of the context has already claimed; null if nothing
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

  /** Releases the claims. */
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

  /**
   * A warning about an appender of another context with the same archives; null if there is none.
   */
  private @Nullable String sharedArchives() {
    synchronized (LogClaims.class) {
      for (LogClaims other : RUNNING) {
        if (other != this && names.sharesArchivesOnly(other.names)) {
          return "<fileNamePattern> %s is also used by appender [%s] of another Logback context, with <file> %s: each may overwrite archives of the other"
              .formatted(names.pattern(), other.owner.getName(), other.names.file());
        }
      }
      return null;
    }
  }

  @SuppressWarnings("unchecked") // no other code uses the name
  private static Map<String, Appender<?>> claimsOf(Context context) {
    Map<String, Appender<?>> claims = (Map<String, Appender<?>>) context.getObject(IN_CONTEXT);
    if (claims == null) {
      claims = new HashMap<>();
      context.putObject(IN_CONTEXT, claims);
    }
    return claims;
  }
}
