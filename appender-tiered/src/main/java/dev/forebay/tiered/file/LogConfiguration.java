package dev.forebay.tiered.file;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import ch.qos.logback.core.spi.LifeCycle;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Checks a configured log file and its policies. Accesses no file and changes nothing, so that any
 * thread can call it before anything is started.
 */
public final class LogConfiguration {

  /**
   * One problem.
   *
   * @param isFatal whether nothing can be written, so that the appender must not start
   * @param message for the user, naming the element and the value
   */
  public record Problem(boolean isFatal, String message) {}

  private final List<Problem> problems = new ArrayList<>();

  private LogConfiguration() {}

  /**
   * All problems of a configuration; empty if there are none.
   *
   * @param context for parsing the file name pattern
   */
  public static List<Problem> problems(
      @Nullable String file,
      boolean append,
      boolean prudent,
      @Nullable RollingPolicy rolling,
      @Nullable TriggeringPolicy<?> triggering,
      Context context) {
    LogConfiguration check = new LogConfiguration();
    if (prudent) {
      check.fatal(
          "<prudent>true</prudent> is not supported: remove it; if several processes share a <file>, one writes to it and the others spool until it stops");
    }
    if (file != null && file.isBlank()) {
      check.fatal("<file> is empty");
    } else if (file == null && rolling == null) {
      check.fatal("<file> is missing, and there is no <rollingPolicy> that names one");
    }
    check.path("file", file);
    check.path("fileNamePattern", fileNamePattern(rolling));
    check.policy("rollingPolicy", rolling, "triggeringPolicy", triggering);
    if (triggering != rolling) {
      check.policy("triggeringPolicy", triggering, "rollingPolicy", rolling);
    }
    if (rolling != null && !append) {
      check.advice(
          "<append>false</append> has no meaning with a <rollingPolicy>: existing files are appended to");
    }
    if (rolling != null && file != null) {
      check.collision(file, rolling, triggering == rolling, context);
    }
    return check.problems;
  }

  private void fatal(String message) {
    problems.add(new Problem(true, message));
  }

  private void advice(String message) {
    problems.add(new Problem(false, message));
  }

  /** A non-ASCII name is not a valid path if the JVM was started with {@code LC_ALL=C}. */
  private void path(String element, @Nullable String value) {
    try {
      var unused = Path.of(value == null ? "" : value);
    } catch (InvalidPathException e) {
      fatal("<%s> is \"%s\": must be a path; %s".formatted(element, value, e.getReason()));
    }
  }

  private void policy(
      String element, @Nullable LifeCycle policy, String other, @Nullable LifeCycle needed) {
    if (policy == null) {
      return;
    }
    String name = policy.getClass().getName();
    if (needed == null) {
      fatal("<%s> of %s needs a <%s> next to it".formatted(element, name, other));
    }
    if (!policy.isStarted()) {
      fatal(
          "<%s> of %s did not start; the status messages before this one say why"
              .formatted(element, name));
    }
  }

  /**
   * An archive could take the name of the active file. Logback accepts that of a fixed window,
   * which has a separate trigger: an existing configuration must still start.
   */
  private void collision(String file, RollingPolicy rolling, boolean isFatal, Context context) {
    String pattern = fileNamePattern(rolling);
    try {
      if (pattern != null && file.matches(new FileNamePattern(pattern, context).toRegex())) {
        problems.add(
            new Problem(
                isFatal,
                "<file> %s matches <fileNamePattern> %s: an archive could replace it"
                    .formatted(file, pattern)));
      }
    } catch (PatternSyntaxException e) {
      // Logback does not quote a bracket in a name.
    }
  }

  /** The file name pattern of a policy's archives; null if unknown. */
  private static @Nullable String fileNamePattern(@Nullable RollingPolicy rolling) {
    return rolling instanceof RollingPolicyBase named ? named.getFileNamePattern() : null;
  }
}
