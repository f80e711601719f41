package dev.forebay.tiered;

import ch.qos.logback.core.Appender;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import dev.forebay.tiered.LogClaims.Shared;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configured names of an appender's log and archives. They are compared as absolute paths,
 * without resolving links or accessing files.
 */
record LogNames(@Nullable String file, @Nullable String pattern) {

  static final LogNames NONE = new LogNames(null, null);

  private static final String FILE = "<file> ";
  private static final String PATTERN = "<fileNamePattern> ";

  static LogNames of(@Nullable String file, @Nullable RollingPolicy rolling) {
    String pattern = rolling instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
    return new LogNames(file, pattern);
  }

  /** One key for each name; equal if appenders share it. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    if (file != null) {
      keys.add(FILE + path(file));
    }
    if (pattern != null) {
      keys.add(PATTERN + path(pattern));
    }
    return keys;
  }

  /** What is shared with an appender of these names; null if nothing. */
  @Nullable Shared sharedWith(LogNames other, Appender<?> appender) {
    List<String> theirs = other.keys();
    for (String key : keys()) {
      if (theirs.contains(key)) {
        return shared(key, appender);
      }
    }
    return null;
  }

  /** Without a file, the pattern also names the log. */
  Shared shared(String key, Appender<?> appender) {
    boolean byFile = key.startsWith(FILE);
    return new Shared(byFile || file == null, byFile ? FILE + file : PATTERN + pattern, appender);
  }

  boolean sharesArchivesOnly(LogNames other) {
    return pattern != null
        && other.pattern != null
        && path(pattern).equals(path(other.pattern))
        && !path(String.valueOf(file)).equals(path(String.valueOf(other.file)));
  }

  private static String path(String name) {
    try {
      return Path.of(name).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      return name; // of another appender; ours is already validated
    }
  }
}
