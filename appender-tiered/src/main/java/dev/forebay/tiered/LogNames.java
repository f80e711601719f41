package dev.forebay.tiered;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The configured names of an appender's log and archives. They are compared as absolute paths,
 * without resolving links or accessing files.
 */
record LogNames(@Nullable String file, @Nullable String pattern) {

  static final LogNames NONE = new LogNames(null, null);

  static LogNames of(@Nullable String file, @Nullable RollingPolicy rolling) {
    String pattern = rolling instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
    return new LogNames(file, pattern);
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
   * What is shared with an appender of these names; null if nothing. Without a file, the pattern
   * also names the log.
   */
  @Nullable Shared sharedWith(LogNames other, Appender<?> appender) {
    if (isSame(file, other.file)) {
      return new Shared(true, "<file> " + file, appender);
    }
    return isSame(pattern, other.pattern)
        ? new Shared(file == null, "<fileNamePattern> " + pattern, appender)
        : null;
  }

  private static boolean isSame(@Nullable String name, @Nullable String other) {
    return name != null && other != null && path(name).equals(path(other));
  }

  private static String path(String name) {
    try {
      return Path.of(name).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      return name; // of another appender; ours is already validated
    }
  }
}
